import { useState } from 'react'
import { Badge } from '../parts/badge.tsx'
import { count } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { Select } from '../parts/inputs/inputs.tsx'
import { MultiChoice } from '../parts/inputs/multi-choice.tsx'
import type { Change } from './change.ts'
import type { Comparison } from './comparison.ts'
import { useOwnProviders, useProviders } from './queries.ts'

const architectures = [
  ['', 'Same as now'],
  ['*', 'Any'],
  ['x86_64', 'x86_64'],
  ['arm64', 'arm64'],
] as const
const noLimits = {
  'in-provider': undefined,
  'in-region': undefined,
  'in-arch': undefined,
}

/** Filters for candidates, with the values of the catalogue. */
export function Filters({ comparison, onChange }: { comparison: Comparison; onChange: Change }) {
  const providers = useProviders().data ?? {}
  const own = useOwnProviders().data?.providers ?? []
  const known = Object.entries(providers).filter(([, { predicates }]) => predicates.regions.length > 0)
  const ownNames = [...new Set(own.map(({ provider }) => provider))]
  const limited = known.filter(
    ([key]) => comparison.providers.length === 0 || comparison.providers.includes(key),
  )
  const regions = limited.flatMap(([, { provider, predicates }]) =>
    predicates.regions.map((region) => ({ value: region, label: `${region} · ${provider}` })),
  )
  const limits = [comparison.providers, comparison.regions, comparison.architectures].flat()

  // On a narrow screen the filters are closed at first, because they would push the main content down.
  const [open, setOpen] = useState(() => limits.length > 0 || matchMedia('(width >= 820px)').matches)

  return (
    <details className="card filters" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2>Limit candidates to</h2>
        {limits.length > 0 && <Badge tone="good">{count(limits.length)}</Badge>}
        <Icon name="chevron" size={16} />
      </summary>
      <div className="fields two">
        <MultiChoice
          label="Provider"
          choices={[
            ...known.map(([value, { provider }]) => ({ value, label: provider })),
            ...ownNames.map((name) => ({ value: name, label: `${name} · yours` })),
          ]}
          chosen={comparison.providers}
          onChange={(chosen) => onChange({ 'in-provider': chosen })}
        />
        <MultiChoice
          label="Region"
          choices={unique(regions)}
          chosen={comparison.regions}
          none={comparison.anywhere ? 'Anywhere' : 'Nearby'}
          onChange={(chosen) => onChange({ 'in-region': chosen })}
        />
        <Select
          label="Architecture"
          value={comparison.architectures[0] ?? ''}
          options={architectures}
          onChange={(to) => onChange({ 'in-arch': to || undefined })}
        />
      </div>
      <fieldset className="choices">
        <legend className="field-label">Also show</legend>
        <label className="check">
          <input
            type="checkbox"
            checked={comparison.spot}
            onChange={() => onChange({ spot: comparison.spot ? undefined : '1' })}
          />
          <span>
            Spot <span className="note">the provider can reclaim it at any time</span>
          </span>
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={comparison.anywhere}
            onChange={() => onChange({ anywhere: comparison.anywhere ? undefined : '1' })}
          />
          <span>
            Anywhere in the world <span className="note">regardless of distance and jurisdiction</span>
          </span>
        </label>
      </fieldset>
      {limits.length > 0 && (
        <button type="button" className="button" onClick={() => onChange(noLimits)}>
          Clear
        </button>
      )}
    </details>
  )
}

function unique(choices: { value: string; label: string }[]): { value: string; label: string }[] {
  return [...new Map(choices.map((choice) => [choice.value, choice])).values()]
}
