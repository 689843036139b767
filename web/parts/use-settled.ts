import { useEffect, useState } from 'react'

/** Returns the value after it has stayed the same for a moment, or immediately if there was none. */
export function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled === undefined ? value : settled
}
