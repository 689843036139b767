import { Badge } from '../parts/badge.tsx'
import { counted } from '../parts/figures.ts'
import { faultsOf, type UsageSource } from '../usage/sources.ts'

/** What the source does wrong, and what one more metric would make possible. */
export function SourceHealth({ of }: { of: UsageSource }) {
  const { problems, missing } = of
  const faults = faultsOf(of)
  return (
    <>
      {problems.map((problem) => (
        <span key={problem.code} className="source-problem">
          {faults.includes(problem) ? <Badge tone="warn">problem</Badge> : <Badge>note</Badge>}{' '}
          {problem.message}
        </span>
      ))}
      {missing.length > 0 && (
        <details>
          <summary>{counted(missing.length, 'metric')} would add something</summary>
          <ul className="plain-list">
            {missing.map(({ metrics, unlocks }) => (
              <li key={metrics.join()}>
                <code>{metrics.join(' or ')}</code>: {unlocks}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
