import { defaultOrganisation } from '../../domain/key.ts'
import { Problem } from '../../domain/problem.ts'
import {
  defaultLimit,
  defaultOffersPerType,
  maxGroups,
  maxOffersPerType,
} from '../../operations/pricing/request.ts'
import type { PartialRequest } from '../../operations/recommend-offers/complete-request.ts'
import type { RecommendationResult } from '../../pricing/answer.ts'
import {
  type Call,
  type Command,
  exitCode,
  optionNumber,
  optionText,
  requiredText,
  UsageError,
} from '../command.ts'
import { type Server, serverOf } from '../server.ts'
import { offlinePricing } from './offline-pricing.ts'

const listOption = (text: string) =>
  ({ type: 'string', value: 'NAME', text: `${text}; may be repeated`, multiple: true }) as const

/** POST /recommendations on the command line, of a service or without one. */
export const recommendCommand: Command = {
  name: 'recommend',
  summary:
    'Say where a machine would cost less; offline, on the shipped catalogue, unless --server names a service',
  settings: ['server', 'catalogue', 'providers'],
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
    const server = serverOf(call)
    const answer = await (server === undefined ? offline(call) : fromServer(server, call))
    if (call.json) {
      const { resultJson } = await import('../../operations/recommend-offers/recommend-offers.ts')
      call.out(resultJson(answer))
    } else {
      const { renderRecommendations } = await import('../render/recommend.ts')
      call.out(renderRecommendations(answer).trimEnd())
    }
    return exitCode.done
  },
}

async function offline(call: Call): Promise<RecommendationResult> {
  const deps = await offlinePricing(call.settings)
  const { completeRequest } = await import('../../operations/recommend-offers/complete-request.ts')
  const { recommendOffers } = await import('../../operations/recommend-offers/recommend-offers.ts')
  const request = await completeRequest(deps, defaultOrganisation, requestOf(call))
  return recommendOffers(deps, defaultOrganisation, request)
}

/** The shipped catalogue knows the size of the machine where the call does not say it; all else is the service's. */
async function fromServer(server: Server, call: Call): Promise<RecommendationResult> {
  const { completeRequest } = await import('../../operations/recommend-offers/complete-request.ts')
  const request = await completeRequest(
    await offlinePricing(call.settings),
    defaultOrganisation,
    requestOf(call),
  ).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    throw new UsageError(`--vm-cpu and --vm-ram are needed for a machine that only the service knows`)
  })
  const { base, ...groups } = await server.ask<Record<string, RecommendationResult[number][1]>>(
    '/recommendations',
    {
      body: request,
    },
  )
  return [['base', base!], ...Object.entries(groups)]
}

function requestOf(call: Call): PartialRequest {
  return {
    provider: requiredText(call, 'provider'),
    region: requiredText(call, 'region'),
    instance_type: requiredText(call, 'type'),
    operating_system: optionText(call, 'os') ?? 'Linux',
    usage_type: optionText(call, 'usage-type') ?? 'ONDEMAND',
    availability_zone: optionText(call, 'zone') ?? '',
    fallback_to_base_pricing: call.values['base-pricing'] === true,
    include_metadata: call.values.metadata === true,
    vm: resources(call, 'vm'),
    usage: resources(call, 'usage'),
    predicates: {
      providers: list(call, 'to-provider'),
      regions: list(call, 'to-region'),
      availability_zones: list(call, 'to-zone'),
      instance_types: list(call, 'to-type'),
      usage_types: list(call, 'to-usage-type'),
      architectures: list(call, 'to-architecture'),
    },
    target_utilisation: { cpu: share(call, 'target-cpu'), ram: share(call, 'target-ram') },
    limit: count(call, 'limit', defaultLimit, maxGroups),
    offers_per_type: count(call, 'offers-per-type', defaultOffersPerType, maxOffersPerType),
  }
}

function resources(call: Call, what: string): { cpu_cores?: number; ram_gb?: number } {
  const cores = amount(call, `${what}-cpu`)
  const gib = amount(call, `${what}-ram`)
  return {
    ...(cores === undefined ? {} : { cpu_cores: cores }),
    ...(gib === undefined ? {} : { ram_gb: gib }),
  }
}

function list(call: Call, option: string): string[] {
  return (call.values[option] as string[] | undefined) ?? []
}

function amount(call: Call, option: string): number | undefined {
  const value = optionNumber(call, option)
  if (value !== undefined && value < 0) throw new UsageError(`--${option} must not be negative`)
  return value
}

function share(call: Call, option: string): number {
  const value = optionNumber(call, option) ?? 0.8
  if (value <= 0 || value > 1) throw new UsageError(`--${option} must be above 0 and at most 1`)
  return value
}

function count(call: Call, option: string, usual: number, most: number): number {
  const value = optionNumber(call, option) ?? usual
  if (!Number.isInteger(value) || value < 1 || value > most) {
    throw new UsageError(`--${option} must be a whole number from 1 to ${most}`)
  }
  return value
}
