import { Badge } from '../parts/badge.tsx'
import { ago } from '../parts/figures.ts'

const msPerDay = 86_400_000
const oldAfterDays = 60

/** Marks a price older than sixty days as old, as comparisons do. */
export function Age({ of }: { of: string | null }) {
  if (of === null) return <>–</>
  const days = (Date.now() - new Date(of).getTime()) / msPerDay
  const tone = days <= oldAfterDays ? 'good' : 'warn'
  return <Badge tone={tone}>{ago(of, Date.now())}</Badge>
}
