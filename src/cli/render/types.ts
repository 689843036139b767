import { dollars } from '../../domain/money.ts'
import { plural } from '../../domain/text.ts'
import { type PriceAge, priceAge } from '../../pricing/compare/comparison.ts'
import type { InstanceTypeDetails, InstanceTypeView, TypePrice } from '../../pricing/instance-types/schema.ts'
import { hourly, printable, size } from './figures.ts'
import {
  ageLines,
  ageMark,
  changesText,
  gpuText,
  markLines,
  offerCells,
  offerFigures,
  offerHeader,
  priceDay,
} from './offer-cells.ts'
import { renderTable } from './table.ts'

/** `today` is YYYY-MM-DD. */
export function renderTypes(types: readonly InstanceTypeView[], today: string): string {
  if (types.length === 0) return 'No instance type matches.\n'
  const header = ['TYPE', 'PROVIDER', 'CORES', 'VCPU', 'GIB', 'COREMARK', 'ARCH', 'GPU', 'DISK', 'GENERATION']
  const rows = types.map(({ machine, ...type }) => [
    type.instance_type,
    type.provider,
    type.cpu_cores === null ? '?' : size(type.cpu_cores),
    vcpuText(machine.vcpu_kind, type.burstable_baseline),
    type.ram_gb === null ? '?' : size(type.ram_gb),
    machine.speed === null ? '?' : String(machine.speed.coremark_per_vcpu),
    type.architecture ?? '?',
    type.gpu === null ? '' : gpuText(type.gpu),
    diskText(machine.local_disk),
    machine.generation,
    type.cost_per_hour_from === null ? '' : hourly(type.cost_per_hour_from),
    type.cost_per_month_from === null ? '' : dollars(type.cost_per_month_from),
    type.cost_per_1000_coremark === null ? '' : hourly(type.cost_per_1000_coremark),
    markedDay(type.price_day, today),
  ])
  const prices = ['FROM', 'PER MONTH', 'PER 1000 COREMARK', 'PRICE DATE']
  const ages = types.map(({ price_day: day }) => priceAge(day ?? '', 'ONDEMAND', today))
  return [
    renderTable([[...header, ...prices], ...rows], [2, 4, 5, 10, 11, 12]),
    'FROM is the lowest on-demand price per hour, and PER MONTH that of a month, by which --sort price sorts; COREMARK is per vCPU; PER 1000 COREMARK counts burstable vCPUs at their baseline.',
    ...ageLines(ages),
    '',
  ].join('\n')
}

/** Renders the facts about a type, its prices in all regions or in one, then cheaper types. `today` is YYYY-MM-DD. */
export function renderType(details: InstanceTypeDetails, today: string, region?: string): string {
  // `equivalents` has the region as the catalogue spells it, if there is an on-demand price in it.
  const there = region === undefined ? undefined : (details.equivalents?.region ?? region).toLowerCase()
  const prices = details.prices.filter((price) => there === undefined || price.region.toLowerCase() === there)
  const linux = prices.filter((price) => price.operating_system === 'Linux')
  const explained = ageLines(linux.map((price) => ageOf(price, today)))
  const parts = [
    aboutText(details),
    region !== undefined && prices.length === 0
      ? `No price of this type is known in "${printable(region)}".`
      : pricesText(linux, explained, today),
    equivalentsText(details, explained),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const ageOf = (price: TypePrice, today: string): PriceAge =>
  priceAge(price.day ?? '', price.usage_type, today)

/** Renders `burstable 20%`: the kind of vCPU and the share of it that the type sustains. */
function vcpuText(kind: string | null, baseline: number | null): string {
  const share = baseline === null ? '' : ` ${size(100 * baseline)}%`
  return `${kind?.replaceAll('-', ' ') ?? '?'}${share}`
}

const basisPhrases: Readonly<Record<string, string>> = {
  coremark: 'measured',
  geekbench: 'estimated from Geekbench',
  passmark: 'estimated from PassMark',
  'same-family': 'same family',
  'same-generation': 'same generation',
  'same-processor': 'same processor',
}

function speedText(speed: NonNullable<InstanceTypeView['machine']['speed']>, baseline: number | null) {
  const borrowed = speed.borrowed_from ? `, value of ${speed.borrowed_from}` : ''
  const sustained = baseline === null ? '' : `, of which it sustains ${size(100 * baseline)}%`
  return `CoreMark ${speed.coremark_per_vcpu} per vCPU (${basisPhrases[speed.basis] ?? speed.basis}${borrowed})${sustained}`
}

function aboutText({ machine, ...type }: InstanceTypeDetails): string {
  const { speed } = machine
  const kind = machine.vcpu_kind?.replaceAll('-', ' ') ?? 'unknown kind'
  const rows = [
    ['Type', `${type.instance_type} of ${type.provider}`],
    [
      'Size',
      `${type.cpu_cores ?? '?'} vCPUs (${kind}), ${type.ram_gb ?? '?'} GiB, ${type.architecture ?? 'unknown architecture'}`,
    ],
    ...(type.gpu === null ? [] : [['Accelerator', `${gpuText(type.gpu)} (${machine.accelerator_kind})`]]),
    ['Speed', speed === null ? 'not known' : speedText(speed, type.burstable_baseline)],
    ...(machine.processor === null ? [] : [['Processor', machine.processor]]),
    [
      'Generation',
      machine.ends_on === null ? machine.generation : `${machine.generation}, end date ${machine.ends_on}`,
    ],
    ['Local disk', diskText(machine.local_disk) || 'none'],
    ['Network', networkText(machine.network)],
    ...(machine.kinds.length === 0 ? [] : [['Special', machine.kinds.join(', ')]]),
    ['Available in', plural(type.regions.length, 'region')],
  ]
  return renderTable(rows)
}

function networkText(network: InstanceTypeView['machine']['network']): string {
  if (network === null) return 'not known'
  const { baseline_gbps: baseline, max_gbps: most } = network
  return [
    ...(baseline === null ? [] : [`${baseline} Gbit/s`]),
    ...(most === null || most === baseline ? [] : [`up to ${most} Gbit/s`]),
  ].join(', ')
}

function pricesText(linux: readonly TypePrice[], explained: readonly string[], today: string): string {
  if (linux.length === 0) return ''
  const regions = [...new Set(linux.map(({ region }) => region))].sort()
  const cheapestText = (region: string, isWanted: (price: TypePrice) => boolean): string => {
    const wanted = linux.filter((price) => price.region === region && isWanted(price))
    if (wanted.length === 0) return ''
    const least = wanted.reduce((a, b) => (b.cost_per_hour < a.cost_per_hour ? b : a))
    return `${hourly(least.cost_per_hour)}${ageMark(ageOf(least, today))}`
  }
  const rows = regions.map((region) => {
    const days = linux.filter((price) => price.region === region).map(({ day }) => day ?? '')
    return [
      region,
      cheapestText(region, (price) => price.usage_type === 'ONDEMAND'),
      cheapestText(region, (price) => price.term?.startsWith('1y') ?? false),
      cheapestText(region, (price) => price.term?.startsWith('3y') ?? false),
      cheapestText(region, (price) => price.usage_type === 'SPOT_PREEMPTIBLE'),
      [...new Set(days.filter((day) => day !== ''))].sort().join(', '),
    ]
  })
  return [
    'Linux, per hour:',
    renderTable([['REGION', 'ON DEMAND', '1 YEAR', '3 YEARS', 'SPOT', 'PRICE DATES'], ...rows], [1, 2, 3, 4]),
    ...explained,
  ].join('\n')
}

/** Marks in `explained` are not explained a second time. */
function equivalentsText({ equivalents }: InstanceTypeDetails, explained: readonly string[]): string {
  if (equivalents === null) return ''
  const offers = equivalents.options.flatMap(({ effort, offers: ofEffort }) =>
    ofEffort.map((offer) => ({ effort, offer })),
  )
  if (offers.length === 0)
    return `No comparable machine costs less than its on-demand price in ${equivalents.region}.`
  const rows = offers.map(({ effort, offer }) => [
    effort,
    ...offerCells(offer),
    priceDay(offer),
    changesText(offer),
  ])
  const figures = offerFigures.map((column) => column + 1)
  return [
    `Cheaper comparable machines, compared with its on-demand price in ${equivalents.region}:`,
    renderTable([['EFFORT', ...offerHeader, 'PRICE DATE', 'CHANGES'], ...rows], figures),
    ...markLines(offers.map(({ offer }) => offer)).filter((line) => !explained.includes(line)),
  ].join('\n')
}

function markedDay(day: string | null, today: string): string {
  return day === null ? '' : `${day}${ageMark(priceAge(day, 'ONDEMAND', today))}`
}

function diskText(disk: InstanceTypeView['machine']['local_disk']): string {
  if (disk === null) return '?'
  if (disk.gib === 0) return ''
  return `${disk.gib === null ? '?' : Math.round(disk.gib)} GiB ${disk.kind}${disk.is_root ? ' (root)' : ''}`
}
