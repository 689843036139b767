import { isMissing } from '../api/problem.ts'
import { count } from './figures.ts'
import type { IconName } from './icon.tsx'
import { Empty, Notice, Skeleton, Trouble } from './states.tsx'

interface Props {
  /** Name of the rows, such as "namespaces". */
  readonly what: string
  readonly icon: IconName
  /** Shown until the first rows are loaded. */
  readonly progress: string
  /** Shown if the service does not have this list. */
  readonly missing: string
  readonly list: {
    readonly rows: readonly unknown[] | undefined
    readonly error: Error | null
    readonly hasNextPage: boolean
    refetch(): unknown
  }
}

/** Shows the state of a list: loading, missing, failed, or partly loaded. */
export function ListStates({ what, icon, progress, missing, list }: Props) {
  const { rows, error, hasNextPage } = list
  const again = () => void list.refetch()
  if (rows === undefined) {
    if (error === null) return <Skeleton lines={8} label={progress} />
    if (isMissing(error)) return <Empty icon={icon} title="Not available" text={missing} />
    return <Trouble error={error} again={again} />
  }
  if (!hasNextPage) return null
  if (error !== null) {
    return (
      <Notice tone="warning" title={`Not all ${what} could be loaded.`}>
        <button type="button" className="button" onClick={again}>
          Try again
        </button>
      </Notice>
    )
  }
  return (
    <Notice tone="info">
      Loading: {count(rows.length)} {what} so far.
    </Notice>
  )
}
