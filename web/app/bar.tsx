import { ClusterChoice } from './cluster-choice.tsx'
import { DatesChoice } from './dates-choice.tsx'
import type { Page } from './pages.ts'

/** What is chosen for every page at once. */
export function Bar({ choices, money }: { choices: Page['bar']; money: Page['money'] }) {
  return (
    <div className="bar" role="toolbar" aria-label="Cluster and period">
      {choices === 'cluster and dates' && <ClusterChoice />}
      {choices !== undefined && <DatesChoice />}
      {choices !== undefined && (
        <span className="note bar-note">
          {money === 'period' ? 'Money is of the period' : 'Money is per month of 730 hours'}
        </span>
      )}
    </div>
  )
}
