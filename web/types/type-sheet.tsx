import type { ReactNode } from 'react'
import { paidAs } from '../compare/candidates.ts'
import type { TypeDetails } from '../compare/comparison.ts'
import { count, counted, day, gib, hourly, money, share, small } from '../parts/figures.ts'

/** Lists every known fact about a type that is not a price in a region. */
export function TypeSheet({ of }: { of: TypeDetails }) {
  return (
    <section className="card type-sheet" aria-labelledby="sheet-title">
      <div className="card-head">
        <h2 id="sheet-title">Sheet</h2>
      </div>
      <dl>
        {factsOf(of).map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact ?? 'not known'}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const vcpuKinds = {
  'dedicated-core': 'a core of its own',
  'dedicated-thread': 'a hardware thread of its own',
  'dedicated-thread-capped': 'a hardware thread of its own, capped',
  'shared-pool': 'shared within a pool',
  shared: 'shared with other customers',
  burstable: 'burstable: sustains a baseline',
  'bare-metal': 'the whole machine',
} as const satisfies Record<NonNullable<TypeDetails['machine']['vcpu_kind']>, string>

/** Every known fact that is not a price in a region, by name. */
export function factsOf(of: TypeDetails): (readonly [string, ReactNode])[] {
  const { machine, cpu_cores: cores, ram_gb: memory, gpu } = of
  const { speed, local_disk: disk, network, carbon, spot_interruption: spot } = machine
  const perMonth = of.cost_per_month_from
  const kind = machine.vcpu_kind
  return [
    ['Processor', machine.processor],
    ['Architecture', of.architecture],
    ['vCPU', kind && vcpuKinds[kind]],
    ...(of.burstable_baseline === null
      ? []
      : [['Baseline of a vCPU', share(of.burstable_baseline)] as const]),
    ['Memory per core', cores && memory ? gib(memory / cores) : null],
    ['CoreMark per vCPU', speed && count(speed.coremark_per_vcpu)],
    ['CoreMark of all vCPUs', speed && cores ? count(speed.coremark_per_vcpu * cores) : null],
    ['Accelerator', gpu === null ? 'none' : `${small(gpu.count)} × ${gpu.name}`],
    ['Local disk', disk === null ? null : disk.gib === 0 ? 'none' : `${gib(disk.gib)} ${disk.kind}`],
    ['Network, sustained', network?.baseline_gbps == null ? null : `${network.baseline_gbps} Gbit/s`],
    ['Network, at most', network?.max_gbps == null ? null : `${network.max_gbps} Gbit/s`],
    ['Special kind', machine.kinds.map((each) => each.replaceAll('-', ' ')).join(', ') || 'none'],
    ['Generation', machine.generation],
    ['End of life', machine.ends_on === null ? 'none announced' : day(machine.ends_on)],
    ['Per core and month, from', perMonth !== null && cores ? money(perMonth / cores) : null],
    ['Per GiB and month, from', perMonth !== null && memory ? money(perMonth / memory) : null],
    ['Per 1,000 CoreMark and hour', of.cost_per_1000_coremark && hourly(of.cost_per_1000_coremark)],
    ['Systems', of.operating_systems.join(', ')],
    ['Payment', of.usage_types.map((each) => paidAs(each)).join(', ')],
    ['Offered in', counted(of.regions.length, 'region')],
    ...(spot === null ? [] : [['Spot, interrupted a month', spot.band] as const]),
    ...(carbon === null
      ? []
      : [['CO₂e per hour at half load', `${small(carbon.grams_co2e_per_hour)} g`] as const]),
  ]
}
