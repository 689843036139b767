import { count, money } from '../parts/figures.ts'
import { Term } from '../parts/term.tsx'
import { setParams } from '../state/router.ts'
import { findingWords, kindWords, riskWords, stateWords } from './facet-words.ts'
import { anyState, chosenStates, type RecommendationFilter, toggled } from './filter.ts'
import { riskMeaning } from './grade-meanings.ts'
import type { RecommendationPage } from './queries.ts'

const most = 12
const leastWorths = [0, 1, 10, 100, 1000] as const
const leastConfidences = [0, 0.5, 0.8] as const

type Facets = RecommendationPage['facets']

/** Filters for recommendations, each value with the number of recommendations. */
export function FacetList({ facets, filter }: { facets: Facets; filter: RecommendationFilter }) {
  return (
    <div className="facets">
      <Facet
        name="state"
        label="State"
        values={facets.state}
        chosen={chosenStates(filter)}
        none={anyState}
        words={stateWords}
      />
      <Facet name="kind" label="Kind" values={facets.kind} chosen={filter.kind} words={kindWords} />
      <Facet
        name="risk"
        label="Risk"
        meaning={riskMeaning}
        values={facets.risk}
        chosen={filter.risk}
        words={riskWords}
      />
      {(facets.finding.length > 0 || filter.finding !== undefined) && (
        <Facet
          name="finding"
          label="Finding"
          values={facets.finding}
          chosen={filter.finding}
          words={findingWords}
        />
      )}
      <OneOf name="namespace" label="Namespace" values={facets.namespace} chosen={filter.namespace} />
      <Least
        name="min_worth"
        label="Savings at least"
        steps={leastWorths}
        chosen={filter.min_worth}
        say={(value) => (value === 0 ? 'Anything' : `${money(value)} per month`)}
      />
      <Least
        name="min_confidence"
        label="Confidence at least"
        steps={leastConfidences}
        chosen={filter.min_confidence}
        say={(value) => (value === 0 ? 'Any' : `${100 * value}%`)}
      />
    </div>
  )
}

function Facet({
  name,
  label,
  meaning,
  values,
  chosen,
  none,
  words,
}: {
  name: string
  label: string
  meaning?: string
  values: Facets['kind']
  chosen: string | undefined
  /** What the address has if no value is chosen. */
  none?: string
  words: Readonly<Record<string, string>>
}) {
  const set = new Set(chosen?.split(','))
  // A selected value stays visible, so that it can be deselected.
  const shown = [
    ...values,
    ...[...set]
      .filter((value) => !values.some((each) => each.value === value))
      .map((value) => ({ value, count: 0 })),
  ]
  return (
    <fieldset>
      <legend>{meaning === undefined ? label : <Term of={label} meaning={meaning} />}</legend>
      {shown.map(({ value, count: of }) => (
        <label key={value} className="check">
          <input
            type="checkbox"
            checked={set.has(value)}
            onChange={() => setParams({ [name]: toggled(chosen, value) ?? none }, 'push')}
          />
          <span>{words[value] ?? value}</span>
          <span className="facet-count">{count(of)}</span>
        </label>
      ))}
    </fieldset>
  )
}

function OneOf({
  name,
  label,
  values,
  chosen,
}: {
  name: string
  label: string
  values: Facets['namespace']
  chosen: string | undefined
}) {
  const shown = values.slice(0, most)
  return (
    <fieldset>
      <legend>{label}</legend>
      <label className="check">
        <input
          type="radio"
          name={name}
          checked={chosen === undefined}
          onChange={() => setParams({ [name]: undefined }, 'push')}
        />
        <span>All</span>
      </label>
      {(chosen === undefined || shown.some(({ value }) => value === chosen)
        ? shown
        : [{ value: chosen, count: 0 }, ...shown]
      ).map(({ value, count: of }) => (
        <label key={value} className="check">
          <input
            type="radio"
            name={name}
            checked={chosen === value}
            onChange={() => setParams({ [name]: value }, 'push')}
          />
          <span title={value}>{value}</span>
          <span className="facet-count">{count(of)}</span>
        </label>
      ))}
      {values.length > most && <p className="note">{count(values.length - most)} more: use the search.</p>}
    </fieldset>
  )
}

function Least({
  name,
  label,
  steps,
  chosen = 0,
  say,
}: {
  name: string
  label: string
  steps: readonly number[]
  chosen: number | undefined
  say: (value: number) => string
}) {
  const all = steps.includes(chosen) ? steps : [...steps, chosen]
  return (
    <label className="field">
      <span className="field-label">{label}</span>
      <select
        value={chosen}
        onChange={({ target: { value } }) => setParams({ [name]: value === '0' ? undefined : value }, 'push')}
      >
        {all.map((step) => (
          <option key={step} value={step}>
            {say(step)}
          </option>
        ))}
      </select>
    </label>
  )
}
