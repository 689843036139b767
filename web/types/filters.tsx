import { useState } from 'react'
import { useProviders } from '../compare/queries.ts'
import { Icon } from '../parts/icon.tsx'
import { Select } from '../parts/inputs/inputs.tsx'
import { setParams, usePlace } from '../state/router.ts'
import { type TypeFilter, typeFilters } from './queries.ts'

const generations = ['current', 'previous', 'retiring', 'retired']
const kinds = ['bare-metal', 'confidential', 'hpc-infiniband', 'storage-optimised', 'mac', 'sap', 'video']

/** Every filter is stored in the address. */
export function TypeFilters() {
  const { params } = usePlace()
  const providers = useProviders().data ?? {}
  const get = (name: TypeFilter) => params.get(name) ?? ''
  const set = (name: TypeFilter) => (value: string) =>
    setParams({ [name]: value === '' ? undefined : value }, 'push')
  const provider = providers[get('provider')]
  const known = Object.entries(providers).filter(([, { predicates }]) => predicates.regions.length > 0)
  const used = typeFilters.filter((name) => name !== 'sort' && params.has(name))
  const any = (name: string) => ['', `Any ${name}`] as const
  return (
    <section className="card type-filters" aria-label="Filters">
      <Typed label="Name" filter="q" placeholder="m7i, Standard_D" />
      <Select
        label="Provider"
        value={get('provider')}
        options={[any('provider'), ...known.map(([key, { provider: name }]) => [key, name] as const)]}
        onChange={(value) => setParams({ provider: value || undefined, region: undefined }, 'push')}
      />
      <Select
        label="Region"
        value={get('region')}
        options={[
          ['', provider === undefined ? 'Provider first' : 'Any region'],
          ...(provider?.predicates.regions ?? []).map((region) => [region, region] as const),
        ]}
        onChange={set('region')}
      />
      <Typed label="Cores, at least" filter="min_cores" isNumber />
      <Typed label="Memory, GiB at least" filter="min_memory_gb" isNumber />
      <Typed label="Speed, CoreMark at least" filter="min_speed" isNumber />
      <Typed label="$ per hour, at most" filter="max_cost_per_hour" isNumber />
      <Typed label="Accelerator" filter="gpu_model" placeholder="A100, T4" />
      <Select
        label="Architecture"
        value={get('architecture')}
        options={[any('architecture'), ['x86_64', 'x86_64'], ['arm64', 'arm64']]}
        onChange={set('architecture')}
      />
      <Select
        label="Generation"
        value={get('generation')}
        options={[any('generation'), ...generations.map((each) => [each, each] as const)]}
        onChange={set('generation')}
      />
      <Select
        label="Special kind"
        value={get('kind')}
        options={[any('kind'), ...kinds.map((each) => [each, each.replaceAll('-', ' ')] as const)]}
        onChange={set('kind')}
      />
      <Typed label="Local disk, GiB at least" filter="min_local_disk_gb" isNumber />
      {used.length > 0 && (
        <button
          type="button"
          className="button"
          onClick={() => setParams(Object.fromEntries(used.map((name) => [name, undefined])), 'push')}
        >
          <Icon name="close" size={15} /> Clear filters
        </button>
      )}
    </section>
  )
}

/** The filter is applied on blur or Enter, so that incomplete text is not sent. */
function Typed({
  label,
  filter,
  placeholder,
  isNumber = false,
}: {
  label: string
  filter: TypeFilter
  placeholder?: string
  isNumber?: boolean
}) {
  const given = usePlace().params.get(filter) ?? ''
  const [typed, setTyped] = useState<string>()
  const apply = () => {
    if (typed !== undefined && typed !== given) setParams({ [filter]: typed || undefined }, 'push')
    setTyped(undefined)
  }
  return (
    <label className="field">
      <span className="field-label">{label}</span>
      <input
        type={isNumber ? 'number' : 'text'}
        min={isNumber ? 0 : undefined}
        step={isNumber ? 'any' : undefined}
        placeholder={placeholder}
        value={typed ?? given}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
      />
    </label>
  )
}
