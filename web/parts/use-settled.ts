import { useEffect, useState } from 'react'

/** The value once it has stayed the same for a moment; at once where there was none. */
export function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled === undefined ? value : settled
}
