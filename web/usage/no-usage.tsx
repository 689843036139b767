import type { ReactNode } from 'react'
import type { IconName } from '../parts/icon.tsx'
import { Empty, Skeleton } from '../parts/states.tsx'
import { type UsageSource, useSources } from './sources.ts'

interface Props {
  readonly kind: UsageSource['kind']
  readonly icon: IconName
  /** Shown if there is usage at other times. */
  readonly text: string
  /** The steps to the first usage, shown if there never was any. */
  readonly children: ReactNode
}

/** Shown if a period has no usage, which does not mean that nothing is set up. */
export function NoUsage({ kind, icon, text, children }: Props) {
  const { data, isPending } = useSources()
  if (isPending) return <Skeleton lines={4} label="Loading clusters and agents" />
  // If the sources could not be loaded, nothing says that there never was any usage.
  const isNew = data !== undefined && !data.some((source) => source.kind === kind)
  return isNew ? children : <Empty icon={icon} title="No usage in this period" text={text} />
}
