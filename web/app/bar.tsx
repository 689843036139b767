import { ClusterChoice } from './cluster-choice.tsx'
import { DatesChoice } from './dates-choice.tsx'
import { FindButton } from './find-button.tsx'
import type { Page } from './pages.ts'
import { SavedViews } from './saved-views.tsx'

/** What is chosen for every page at once. */
export function Bar({ choices, money }: { choices: Page['bar']; money: Page['money'] }) {
  return (
    <section className="bar" aria-label="Cluster, period and search">
      {choices?.includes('cluster') && <ClusterChoice />}
      {choices?.includes('dates') && <DatesChoice />}
      {choices !== undefined && (
        <span className="note bar-note">
          {money === 'period' ? 'Money is of the period' : 'Money is per month of 730 hours'}
        </span>
      )}
      <span className="spring" />
      <SavedViews />
      <FindButton />
    </section>
  )
}
