import { defaultOrganisation } from '../../../domain/key.ts'
import { NotFound, orProblem } from '../../../domain/not-found.ts'
import type { Effort } from '../../../pricing/compare/comparison.ts'
import type { Comparison } from '../../../pricing/compare/schema.ts'
import { maxOffersPerType } from '../../../pricing/request/bounds.ts'
import type { PartialRequest } from '../../../pricing/request/complete-request.ts'
import {
  type Call,
  type Command,
  exitCode,
  flagOption,
  listOption,
  textOption,
  UsageError,
} from '../../command.ts'
import { type ServiceClient, serverOf } from '../../server.ts'
import { offlinePricing } from './offline-pricing.ts'

const defaultOffers = 3

export const recommendCommand: Command = {
  name: 'recommend',
  summary:
    'Find cheaper machines that can replace one; offline with the shipped catalogue, unless --server names a service',
  isOffline: true,
  settings: ['server', 'catalogue', 'providers', 'currency'],
  options: {
    provider: textOption('NAME', 'Provider of the current machine'),
    region: textOption('NAME', 'Its region'),
    type: textOption('NAME', 'Its instance type'),
    zone: textOption('NAME', 'Its availability zone; matters for spot prices'),
    os: textOption('NAME', 'Linux (default) or Windows'),
    'usage-type': textOption('NAME', 'ondemand (default), reserved or spot'),
    'usage-cpu': textOption('CORES', 'Cores in use; default: the whole machine'),
    'usage-ram': textOption('GIB', 'GiB in use; default: the whole machine'),
    'vm-cpu': textOption('CORES', 'Cores of the machine; default: as in the catalogue'),
    'vm-ram': textOption('GIB', 'GiB of the machine; default: as in the catalogue'),
    'to-provider': listOption('NAME', 'Only candidates of this provider'),
    'to-region': listOption('NAME', 'Only candidates in this region'),
    'to-zone': listOption('NAME', 'Only candidates in this zone'),
    'to-type': listOption('NAME', 'Only candidates of this type'),
    'to-usage-type': listOption('NAME', 'Only candidates of this usage type'),
    'to-architecture': listOption(
      'NAME',
      'Only candidates of this architecture; default: that of the machine',
    ),
    near: textOption('PLACE', 'Only regions near a place: a region, a city or "latitude,longitude"'),
    'distance-km': textOption(
      'KM',
      'Maximum distance of regions from --near or from the current region; default with --near: 1000',
    ),
    'target-cpu': textOption('SHARE', 'Utilisation of the cores to aim at, 0 to 1; default 0.8'),
    'target-ram': textOption('SHARE', 'Utilisation of the memory to aim at, 0 to 1; default 0.8'),
    equivalent: flagOption('Accept fewer cores if they are faster'),
    commit: flagOption('Show what a commitment of 1 or 3 years costs'),
    spot: flagOption('Show what spot machines cost'),
    anywhere: flagOption('Also show the cheapest of all regions worldwide'),
    carbon: flagOption('Show grams of CO2e per hour'),
    limit: textOption('COUNT', `Maximum number of machines per option; default ${defaultOffers}`),
    'base-pricing': flagOption('Use base rates if no price list has a price'),
  },
  optionsByPointer: {
    '/operating_system': '--os',
    '/vm': '--vm-cpu with --vm-ram',
    '/vm/cpu_cores': '--vm-cpu',
    '/vm/ram_gb': '--vm-ram',
    '/predicates/providers': '--to-provider',
    '/predicates/regions': '--to-region',
    '/predicates/availability_zones': '--to-zone',
    '/predicates/instance_types': '--to-type',
    '/predicates/usage_types': '--to-usage-type',
    '/predicates/architectures': '--to-architecture',
    '/predicates/near': '--near',
    '/predicates/distance_km': '--distance-km',
  },
  notes:
    'Example: cheapside recommend --provider aws --region us-east-1 --type m5.xlarge --usage-cpu 1.5 --usage-ram 6\n' +
    'Only comparable machines are shown: the same accelerator, kind and architecture, and enough cores at their speed.\n' +
    '--json prints the response of POST /v1/comparisons.',
  run: async (call) => {
    const server = serverOf(call)
    const comparison = await (server === undefined ? offline(call) : fromServer(server, call))
    if (call.json) call.out(JSON.stringify(comparison))
    else {
      const { renderComparison } = await import('../../render/comparison.ts')
      const style = { efforts: effortsOf(call), withCarbon: call.flag('carbon') }
      call.out(renderComparison(comparison, style).trimEnd())
    }
    return exitCode.done
  },
}

async function offline(call: Call): Promise<Comparison> {
  const deps = await offlinePricing(call.settings)
  const { compareMachine } = await import('../../../pricing/compare/compare-machine.ts')
  const today = new Date().toISOString().slice(0, 10)
  const asked = { ...requestOf(call), anywhere: isAnywhere(call) }
  return orProblem(await compareMachine(deps, defaultOrganisation, asked, today))
}

/** Takes the size of the machine from the shipped catalogue if the options do not give it. The service does the rest. */
async function fromServer(server: ServiceClient, call: Call): Promise<Comparison> {
  const { completeRequest } = await import('../../../pricing/request/complete-request.ts')
  const asked = requestOf(call)
  const request = await completeRequest(await offlinePricing(call.settings), defaultOrganisation, asked)
  if (request instanceof NotFound) {
    const { nearest = {} } = request
    const names = Object.values(nearest).flat()
    const known = names.length === 0 ? '' : ` Near it: ${names.join(', ')}.`
    throw new UsageError(
      `${request.reason}${known} A machine that only the service knows needs --vm-cpu and --vm-ram`,
    )
  }
  return server.ask<Comparison>('/v1/comparisons', { body: { ...request, anywhere: isAnywhere(call) } })
}

const isAnywhere = (call: Call): boolean => call.flag('anywhere')

function effortsOf(call: Call): Set<Effort> {
  const asked = (['commit', 'spot', 'anywhere'] as const).filter((effort) => call.flag(effort))
  return new Set(['resize', 'region', 'provider', ...asked])
}

function requestOf(call: Call): PartialRequest {
  const [near, distance] = [call.text('near'), call.number('distance-km', { least: 0 })]
  if (distance === 0) throw new UsageError('--distance-km must be above 0')
  return {
    provider: call.requiredText('provider'),
    region: call.requiredText('region'),
    instance_type: call.requiredText('type'),
    operating_system: call.text('os') ?? 'Linux',
    usage_type: call.text('usage-type') ?? 'ONDEMAND',
    availability_zone: call.text('zone') ?? '',
    fallback_to_base_pricing: call.flag('base-pricing'),
    performance: call.flag('equivalent') ? 'equivalent' : 'conservative',
    vm: resources(call, 'vm'),
    usage: resources(call, 'usage'),
    predicates: {
      providers: list(call, 'to-provider'),
      regions: list(call, 'to-region'),
      availability_zones: list(call, 'to-zone'),
      instance_types: list(call, 'to-type'),
      usage_types: list(call, 'to-usage-type'),
      architectures: list(call, 'to-architecture'),
      ...(near === undefined ? {} : { near }),
      ...(distance === undefined ? {} : { distance_km: distance }),
    },
    target_utilisation: { cpu: share(call, 'target-cpu'), ram: share(call, 'target-ram') },
    offers_per_type:
      call.number('limit', { least: 1, most: maxOffersPerType, isWhole: true }) ?? defaultOffers,
  }
}

function resources(call: Call, what: string): { cpu_cores?: number; ram_gb?: number } {
  const cpu_cores = call.number(`${what}-cpu`, { least: 0 })
  const ram_gb = call.number(`${what}-ram`, { least: 0 })
  return { ...(cpu_cores === undefined ? {} : { cpu_cores }), ...(ram_gb === undefined ? {} : { ram_gb }) }
}

const list = (call: Call, option: string): string[] => call.texts(option) ?? []

function share(call: Call, option: string): number {
  const value = call.number(option) ?? 0.8
  if (value <= 0 || value > 1) throw new UsageError(`--${option} must be above 0 and at most 1`)
  return value
}
