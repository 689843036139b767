import { type ReactNode, useId } from 'react'
import { glossary } from './glossary.ts'

interface Props {
  readonly of: string
  /** Instead of the text of the glossary. */
  readonly meaning?: string | undefined
  readonly children?: ReactNode
}

/** A term that is explained on hover or focus. */
export function Term({ of, meaning = glossary.get(of), children }: Props) {
  const id = useId()
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
