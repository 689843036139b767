import type { InstanceTypeDetails, TypePrice } from '../../operations/instance-types/show-type.ts'
import type { InstanceTypeView } from '../../operations/instance-types/type-view.ts'
import { formatPercent, hourly, plural, printable, size } from './figures.ts'
import { renderTable } from './table.ts'

export function renderTypes(types: readonly InstanceTypeView[]): string {
  if (types.length === 0) return 'No type in our catalogue passes.\n'
  const header = [
    'TYPE',
    'PROVIDER',
    'CORES',
    'GIB',
    'COREMARK',
    'ARCH',
    'GPU',
    'DISK',
    'AGE',
    'FROM',
    'PER 1000 COREMARK',
  ]
  const rows = types.map(({ machine, ...type }) => [
    printable(type.instance_type),
    printable(type.provider),
    type.cpu_cores === null ? '?' : size(type.cpu_cores),
    type.ram_gb === null ? '?' : size(type.ram_gb),
    machine.speed === null ? '?' : String(machine.speed.coremark_per_vcpu),
    type.architecture ?? '?',
    type.gpu === null ? '' : `${size(type.gpu.count)} ${printable(type.gpu.name)}`,
    diskText(machine.local_disk),
    machine.generation,
    type.cost_per_hour_from === null ? '' : hourly(type.cost_per_hour_from),
    type.cost_per_1000_coremark === null ? '' : hourly(type.cost_per_1000_coremark),
  ])
  return `${renderTable([header, ...rows], [2, 3, 4, 9, 10])}\n`
}

/** What it is, then prices by region, then what is cheaper. */
export function renderType(details: InstanceTypeDetails): string {
  const parts = [aboutText(details), pricesText(details.prices), equivalentsText(details)]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function aboutText({ machine, ...type }: InstanceTypeDetails): string {
  const { speed, network, carbon: _ } = machine
  const borrowed = speed?.borrowed_from ? `, borrowed from ${speed.borrowed_from}` : ''
  const rows = [
    ['Type', `${printable(type.instance_type)} of ${printable(type.provider)}`],
    [
      'Size',
      `${type.cpu_cores ?? '?'} vCPUs (${machine.vcpu_kind ?? 'unknown kind'}), ${type.ram_gb ?? '?'} GiB, ${type.architecture ?? 'unknown architecture'}`,
    ],
    ...(type.gpu === null
      ? []
      : [['Accelerator', `${size(type.gpu.count)} ${type.gpu.name} (${machine.accelerator_kind})`]]),
    [
      'Speed',
      speed === null ? 'not known' : `CoreMark ${speed.coremark_per_vcpu} a vCPU (${speed.basis}${borrowed})`,
    ],
    ...(machine.processor === null ? [] : [['Processor', machine.processor]]),
    [
      'Generation',
      machine.ends_on === null ? machine.generation : `${machine.generation}, ends on ${machine.ends_on}`,
    ],
    ['Local disk', diskText(machine.local_disk) || 'none'],
    [
      'Network',
      network === null
        ? 'not known'
        : `${network.baseline_gbps ?? '?'} Gbit/s, up to ${network.max_gbps ?? '?'}`,
    ],
    ...(machine.kinds.length === 0 ? [] : [['Special', machine.kinds.join(', ')]]),
    ['On sale in', plural(type.regions.length, 'region')],
  ]
  return renderTable(rows)
}

/** Linux, by region: on demand, the cheapest commitment, spot. */
function pricesText(prices: readonly TypePrice[]): string {
  const linux = prices.filter((price) => price.operating_system === 'Linux')
  if (linux.length === 0) return ''
  const regions = [...new Set(linux.map(({ region }) => region))].sort()
  const of = (region: string, isWanted: (price: TypePrice) => boolean): string => {
    const found = linux.filter((price) => price.region === region && isWanted(price))
    return found.length === 0 ? '' : hourly(Math.min(...found.map((price) => price.cost_per_hour)))
  }
  const rows = regions.map((region) => [
    printable(region),
    of(region, (price) => price.usage_type === 'ONDEMAND'),
    of(region, (price) => price.term?.startsWith('1y') ?? false),
    of(region, (price) => price.term?.startsWith('3y') ?? false),
    of(region, (price) => price.usage_type === 'SPOT_PREEMPTIBLE'),
    linux
      .filter((price) => price.region === region)
      .map(({ day }) => day ?? '')
      .sort()[0] ?? '',
  ])
  return renderTable(
    [['REGION', 'ON DEMAND', '1 YEAR', '3 YEARS', 'SPOT', 'OLDEST PRICE'], ...rows],
    [1, 2, 3, 4],
  )
}

function equivalentsText({ equivalents }: InstanceTypeDetails): string {
  if (equivalents === null) return ''
  const offers = equivalents.options.flatMap(({ effort, offers: of }) =>
    of.map((offer) => ({ effort, offer })),
  )
  if (offers.length === 0) return `Nothing comparable costs less than in ${equivalents.region}.`
  const rows = offers.map(({ effort, offer }) => [
    effort,
    printable(offer.instance_type),
    printable(offer.provider),
    printable(offer.region),
    offer.machine.performance ? `${offer.machine.performance.ratio.toFixed(2)}x` : '?',
    hourly(offer.cost_per_hour),
    formatPercent(offer.savings.percentage),
  ])
  const header = ['EFFORT', 'TYPE', 'PROVIDER', 'REGION', 'SPEED', 'PER HOUR', 'SAVES']
  return `Cheaper and comparable, against on demand in ${equivalents.region}:\n${renderTable([header, ...rows], [4, 5, 6])}`
}

function diskText(disk: InstanceTypeView['machine']['local_disk']): string {
  if (disk === null) return '?'
  if (disk.gib === 0) return ''
  return `${disk.gib === null ? '?' : Math.round(disk.gib)} GiB ${disk.kind}${disk.is_root ? ' (root)' : ''}`
}
