import { Badge } from '../parts/badge.tsx'
import { ago } from '../parts/figures.ts'

const msPerDay = 86_400_000

/** Prices seldom move within a month or two; after a year nobody should trust them unseen. */
export function Age({ of }: { of: string | null }) {
  if (of === null) return <>–</>
  const days = (Date.now() - new Date(of).getTime()) / msPerDay
  const tone = days < 120 ? 'good' : days < 365 ? undefined : 'warn'
  return <Badge tone={tone}>{ago(of, Date.now())}</Badge>
}
