import { Badge } from '../parts/badge.tsx'
import { counted, percent } from '../parts/figures.ts'
import type { Container } from './queries.ts'

/** A recommendation with less confidence is marked as a guess. */
export const leastSure = 0.33

/** As findings of recommendations. */
const throttledAbovePercent = 5

export const isThrottled = ({ ThrottledPercent }: Pick<Container, 'ThrottledPercent'>): boolean =>
  ThrottledPercent > throttledAbovePercent

/** Shows the current problems of a container. */
export function Attention({ of, short = false }: { of: Container; short?: boolean }) {
  return (
    <>
      {of.OOMKills > 0 && <Badge tone="bad">{short ? 'OOM' : counted(of.OOMKills, 'OOM kill')}</Badge>}
      {of.MemoryLeak && <Badge tone="warn">{short ? 'leak' : 'possible memory leak'}</Badge>}
      {isThrottled(of) && (
        <Badge tone="warn">throttled{short ? '' : ` ${percent(of.ThrottledPercent)}`}</Badge>
      )}
    </>
  )
}
