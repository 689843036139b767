import { type ReactNode, useId } from 'react'
import { glossary } from './glossary.ts'

/** A term that is explained on hover or focus, with the text of the glossary. */
export function Term({ of, children }: { of: string; children?: ReactNode }) {
  const id = useId()
  const meaning = glossary.get(of)
  if (meaning === undefined) return <>{children ?? of}</>
  return (
    <span className="term">
      <button type="button" className="term-word" aria-describedby={id}>
        {children ?? of}
      </button>
      <span className="term-tip" role="tooltip" id={id}>
        {meaning}
      </span>
    </span>
  )
}
