import type { ReactNode } from 'react'
import { Progress } from './states.tsx'

interface Props {
  /** Whether the content still belongs to the previous choice. */
  readonly isOld: boolean
  /** Name of the work in progress. A second part of the same page leaves it out. */
  readonly label?: string
  readonly className?: string
  readonly children: ReactNode
}

/** Keeps old figures visible while new ones are loaded, but faded and without anything to select or click. */
export function Updating({ isOld, label, className, children }: Props) {
  return (
    <>
      {isOld && label !== undefined && (
        <div className="updating-progress">
          <Progress label={label} />
        </div>
      )}
      <div className={className} aria-busy={isOld} inert={isOld}>
        {children}
      </div>
    </>
  )
}
