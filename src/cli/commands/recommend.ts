import { type Call, type Command, exitCode, numberOf, requiredText, textOf, UsageError } from '../command.ts'
import { offlinePricing } from './offline-pricing.ts'

const listOption = (text: string) =>
  ({ type: 'string', value: 'NAME', text: `${text}; may be repeated`, multiple: true }) as const

/** POST /recommendations on the command line, without a server. */
export const recommendCommand: Command = {
  name: 'recommend',
  summary: 'Say where a machine would cost less; works offline on the shipped catalogue',
  settings: ['catalogue', 'providers'],
  options: {
    provider: { type: 'string', value: 'NAME', text: 'Provider of the current machine' },
    region: { type: 'string', value: 'NAME', text: 'Its region' },
    type: { type: 'string', value: 'NAME', text: 'Its instance type' },
    zone: { type: 'string', value: 'NAME', text: 'Its zone; matters for spot' },
    os: { type: 'string', value: 'NAME', text: 'Linux (default) or Windows' },
    'usage-type': { type: 'string', value: 'NAME', text: 'ondemand (default), reserved or spot' },
    'usage-cpu': { type: 'string', value: 'CORES', text: 'Cores in use; default: the whole machine' },
    'usage-ram': { type: 'string', value: 'GIB', text: 'GiB in use; default: the whole machine' },
    'vm-cpu': {
      type: 'string',
      value: 'CORES',
      text: 'Cores of the machine; default: what the catalogue says',
    },
    'vm-ram': { type: 'string', value: 'GIB', text: 'GiB of the machine; default: what the catalogue says' },
    'to-provider': listOption('Only candidates of this provider'),
    'to-region': listOption('Only candidates in this region'),
    'to-zone': listOption('Only candidates in this zone'),
    'to-type': listOption('Only candidates of this type'),
    'to-usage-type': listOption('Only candidates of this usage type'),
    'to-architecture': listOption('Only candidates of this architecture; default: that of the machine'),
    'target-cpu': {
      type: 'string',
      value: 'SHARE',
      text: 'Utilisation of the cores to aim at, 0 to 1; default 0.8',
    },
    'target-ram': {
      type: 'string',
      value: 'SHARE',
      text: 'Utilisation of the memory to aim at, 0 to 1; default 0.8',
    },
    limit: { type: 'string', value: 'COUNT', text: 'How many types; default 20' },
    'offers-per-type': { type: 'string', value: 'COUNT', text: 'How many offers of each; default 3' },
    'base-pricing': { type: 'boolean', text: 'Price at base rates what no price list has' },
    metadata: { type: 'boolean', text: 'Add term, architecture, source and day to --json' },
  },
  notes:
    'Example: cheapside recommend --provider aws --region us-east-1 --type m5.xlarge --usage-cpu 1.5 --usage-ram 6\n' +
    '--json gives what POST /recommendations answers.',
  run: async (call) => {
    const deps = await offlinePricing(call.settings)
    const { recommendOffers } = await import('../../operations/recommend-offers.ts')
    const request = await requestOf(call, deps)
    const answer = await recommendOffers(deps, 'default', request)
    if (call.json) {
      const { answerText } = await import('../../pricing/answer-text.ts')
      call.out(answerText(answer))
    } else {
      const { renderRecommendations } = await import('../render/recommend.ts')
      call.out(renderRecommendations(answer).trimEnd())
    }
    return exitCode.done
  },
}

type Deps = Awaited<ReturnType<typeof offlinePricing>>

async function requestOf(call: Call, deps: Deps) {
  const machine = {
    provider: requiredText(call, 'provider'),
    region: requiredText(call, 'region'),
    instance_type: requiredText(call, 'type'),
    operating_system: textOf(call, 'os') ?? 'Linux',
    usage_type: textOf(call, 'usage-type') ?? 'ONDEMAND',
    availability_zone: textOf(call, 'zone') ?? '',
    fallback_to_base_pricing: call.values['base-pricing'] === true,
    include_metadata: call.values.metadata === true,
  }
  const vm = await sizeOf(call, deps, machine)
  return {
    ...machine,
    vm,
    usage: {
      cpu_cores: amount(call, 'usage-cpu') ?? vm.cpu_cores,
      ram_gb: amount(call, 'usage-ram') ?? vm.ram_gb,
    },
    predicates: {
      providers: list(call, 'to-provider'),
      regions: list(call, 'to-region'),
      availability_zones: list(call, 'to-zone'),
      instance_types: list(call, 'to-type'),
      usage_types: list(call, 'to-usage-type'),
      ...(call.values['to-architecture'] === undefined
        ? {}
        : { architectures: list(call, 'to-architecture') }),
    },
    target_utilisation: { cpu: share(call, 'target-cpu'), ram: share(call, 'target-ram') },
    limit: count(call, 'limit', 20, 200),
    offers_per_type: count(call, 'offers-per-type', 3, 50),
  }
}

async function sizeOf(call: Call, deps: Deps, machine: Parameters<typeof describeSize>[1]) {
  const [cores, gib] = [amount(call, 'vm-cpu'), amount(call, 'vm-ram')]
  if (cores !== undefined && gib !== undefined) return { cpu_cores: cores, ram_gb: gib }
  const told = await describeSize(deps, machine)
  const size = { cpu_cores: cores ?? told?.vcpus, ram_gb: gib ?? told?.ramGib }
  if (size.cpu_cores == null || size.ram_gb == null) {
    throw new UsageError(
      '--vm-cpu and --vm-ram are needed, since the catalogue does not tell the size of this type',
    )
  }
  return { cpu_cores: size.cpu_cores, ram_gb: size.ram_gb }
}

async function describeSize(
  deps: Deps,
  machine: {
    provider: string
    region: string
    instance_type: string
    operating_system: string
    usage_type: string
    availability_zone: string
    fallback_to_base_pricing: boolean
  },
) {
  const { findCurrent } = await import('../../operations/pricing/find-current.ts')
  const { marketOf } = await import('../../operations/pricing/deps.ts')
  return findCurrent(deps, await marketOf(deps, 'default'), { ...machine, fallback_to_base_pricing: false })
}

function list(call: Call, option: string): string[] {
  return (call.values[option] as string[] | undefined) ?? []
}

function amount(call: Call, option: string): number | undefined {
  const value = numberOf(call, option)
  if (value !== undefined && value < 0) throw new UsageError(`--${option} must not be negative`)
  return value
}

function share(call: Call, option: string): number {
  const value = numberOf(call, option) ?? 0.8
  if (value <= 0 || value > 1) throw new UsageError(`--${option} must be above 0 and at most 1`)
  return value
}

function count(call: Call, option: string, usual: number, most: number): number {
  const value = numberOf(call, option) ?? usual
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new UsageError(`--${option} must be a whole number from 1 to ${most}`)
  }
  return value
}
