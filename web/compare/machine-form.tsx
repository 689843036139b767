import { useEffect, useState } from 'react'
import { cores, gib, hourly, money } from '../parts/figures.ts'
import { Combobox } from '../parts/inputs/combobox.tsx'
import { NumberField, Segmented, Select } from '../parts/inputs/inputs.tsx'
import { paidAs } from './candidates.ts'
import type { Change } from './change.ts'
import type { Comparison, InstanceType, Size, TypeDetails } from './comparison.ts'
import { useTypes } from './queries.ts'
import { UsageFields } from './usage-fields.tsx'

interface Props {
  readonly comparison: Comparison
  readonly found: TypeDetails | undefined
  readonly size: Size | undefined
  readonly onChange: Change
}

export function MachineForm({ comparison, found, size, onChange }: Props) {
  const chooseKind = (kind: Comparison['kind']) =>
    kind === 'size'
      ? onChange({
          vcpus: String(size?.cores ?? comparison.vcpus),
          gib: String(size?.gib ?? comparison.ramGib),
        })
      : onChange({ vcpus: undefined, gib: undefined })
  return (
    <section className="card" aria-labelledby="machine-title">
      <div className="card-head">
        <h2 id="machine-title">Your machine</h2>
        <Segmented
          label="Describe the machine by"
          name="kind"
          options={[
            ['type', 'By type'],
            ['size', 'By size'],
          ]}
          value={comparison.kind}
          onChange={chooseKind}
        />
      </div>
      {comparison.kind === 'type' ? (
        <TypeFields comparison={comparison} found={found} onChange={onChange} />
      ) : (
        <SizeFields comparison={comparison} onChange={onChange} />
      )}
      {size !== undefined && <UsageFields comparison={comparison} size={size} onChange={onChange} />}
    </section>
  )
}

function TypeFields({ comparison, found, onChange }: Omit<Props, 'size'>) {
  const [text, setText] = useState(comparison.type)
  useEffect(() => setText(comparison.type), [comparison.type])
  const name = text.trim()
  const types = useTypes(name, name !== '')
  const choose = (type: InstanceType) => {
    setText(type.instance_type)
    const { region, os, paid } = comparison
    const kept = (value: string, values: readonly string[], preference: string) =>
      values.includes(value) ? value : values.includes(preference) ? preference : values[0]
    onChange({
      provider: type.provider_key,
      type: type.instance_type,
      // If it is undefined, the page uses the region of the price in the list of types.
      region: type.regions.includes(region) ? region : undefined,
      pin: undefined,
      effort: undefined,
      os: kept(os, type.operating_systems, 'Linux'),
      paid: kept(paid, type.usage_types, 'ONDEMAND'),
      cores: undefined,
      ram: undefined,
    })
  }
  return (
    <>
      <Combobox
        label="Instance type"
        placeholder="Start typing a name"
        text={text}
        onText={setText}
        options={
          name === '' ? [] : types.isPlaceholderData ? typesNamed(name, types.data ?? []) : (types.data ?? [])
        }
        optionId={({ provider_key, instance_type }) => `${provider_key} ${instance_type}`}
        show={(type) => <TypeOption type={type} />}
        onChoose={choose}
        note={
          name === '' || !types.isSuccess
            ? undefined
            : types.isPlaceholderData
              ? 'Searching…'
              : 'No type matches this name.'
        }
      />
      {found !== undefined && (
        <>
          <p className="machine-facts">
            <b>{found.provider}</b> {cores(found.cpu_cores)}, {gib(found.ram_gb)}
            {found.architecture !== null && `, ${found.architecture}`}
            {found.gpu !== null && `, ${found.gpu.count} × ${found.gpu.name}`}
          </p>
          <div className="fields region-first">
            <Select
              label="Region"
              value={comparison.region}
              options={found.regions.map((region) => [region, regionText(found, comparison, region)])}
              onChange={(region) => onChange({ region })}
            />
            <Select
              label="System"
              value={comparison.os}
              options={found.operating_systems.map((os) => [os, os])}
              onChange={(os) => onChange({ os })}
            />
            <Select
              label="Payment"
              value={comparison.paid}
              options={found.usage_types.map((paid) => [paid, paidAs(paid)])}
              onChange={(paid) => onChange({ paid })}
            />
          </div>
        </>
      )}
    </>
  )
}

/** Returns text such as "us-east-1 · $140.16 per month". */
function regionText({ prices }: TypeDetails, { os, paid }: Comparison, region: string): string {
  const price = prices.find(
    (each) => each.region === region && each.operating_system === os && each.usage_type === paid,
  )
  return price === undefined ? region : `${region} · ${money(price.cost_per_month)} per month`
}

/** Enter must not choose a type that was found for an earlier text. */
const typesNamed = (name: string, types: readonly InstanceType[]): InstanceType[] =>
  types.filter(({ instance_type }) => instance_type.toLowerCase().includes(name.toLowerCase()))

function TypeOption({ type }: { type: InstanceType }) {
  return (
    <span className="type-option">
      <b>{type.instance_type}</b>
      <span>
        {type.provider}, {cores(type.cpu_cores)}, {gib(type.ram_gb)}
      </span>
      <span className="from">
        {type.cost_per_hour_from !== null && `from ${hourly(type.cost_per_hour_from)}/h`}
      </span>
    </span>
  )
}

function SizeFields({ comparison, onChange }: Pick<Props, 'comparison' | 'onChange'>) {
  const set = (name: string) => (value: number) =>
    onChange({ [name]: Number.isFinite(value) ? String(value) : '0', cores: undefined, ram: undefined }, true)
  return (
    <>
      <div className="fields">
        <NumberField label="Processor" unit="cores" value={comparison.vcpus} onChange={set('vcpus')} />
        <NumberField label="Memory" unit="GiB" value={comparison.ramGib} onChange={set('gib')} />
        <Select
          label="System"
          value={comparison.os}
          options={[
            ['Linux', 'Linux'],
            ['Windows', 'Windows'],
          ]}
          onChange={(os) => onChange({ os })}
        />
      </div>
      <p className="note">A custom machine, priced at the base rates per core and per GiB.</p>
    </>
  )
}
