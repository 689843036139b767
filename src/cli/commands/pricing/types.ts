import { defaultOrganisation } from '../../../domain/key.ts'
import { generations } from '../../../domain/machine-facts.ts'
import { type NotFound, orProblem } from '../../../domain/not-found.ts'
import type { listTypes } from '../../../pricing/instance-types/list-types.ts'
import type { TypesQuery } from '../../../pricing/instance-types/schema.ts'
import type { showType } from '../../../pricing/instance-types/show-type.ts'
import { typeSorts } from '../../../pricing/instance-types/type-sorts.ts'
import type { Call, Command, ExitCode } from '../../command.ts'
import { CommandFailure, textOption, UsageError } from '../../command.ts'
import { type ServiceClient, serverOf } from '../../server.ts'
import { offlinePricing } from './offline-pricing.ts'

export const typeCommands: readonly Command[] = [
  {
    name: 'types list',
    summary: 'List instance types of all clouds by size, speed, age and price',
    isOffline: true,
    settings: ['server', 'catalogue', 'providers', 'currency'],
    options: {
      provider: textOption('NAME', 'Only of this provider'),
      region: textOption('NAME', 'Only on sale in this region, with its prices'),
      name: textOption('TEXT', 'Part of the name'),
      'min-cores': textOption('CORES', 'At least this many vCPUs'),
      'min-memory': textOption('GIB', 'At least this much memory'),
      'min-speed': textOption('COREMARK', 'At least this speed per vCPU'),
      architecture: textOption('NAME', 'x86_64 or arm64'),
      gpu: textOption('MODEL', 'Part of the name of an accelerator model'),
      'min-disk': textOption('GIB', 'At least this much local disk'),
      generation: textOption('NAME', 'current, previous, retiring or retired', generations),
      kind: textOption('NAME', 'A special kind, such as bare-metal or storage-optimised'),
      'max-price': textOption('USD', 'At most this on-demand price per hour'),
      sort: {
        ...textOption(
          'NAME',
          'price (default), price_per_core, price_per_speed, cores, memory, speed, name; -speed: fastest first',
          typeSorts,
        ),
        takesDash: true,
      },
      limit: textOption('COUNT', 'Maximum number of types; default 20'),
    },
    run: async (call) => {
      const { listTypes } = await import('../../../pricing/instance-types/list-types.ts')
      const query = queryOf(call)
      const server = serverOf(call)
      if (server !== undefined) {
        const types = await server.ask<TypeList>('/v1/instance_types', { query: { ...query } })
        return printTypes(call, types)
      }
      const deps = await offlinePricing(call.settings)
      const { types } = await listTypes(deps, defaultOrganisation, query)
      return printTypes(call, types)
    },
  },
  {
    name: 'types show',
    summary: 'Show an instance type: speed, age, disk, network, prices, cheaper equivalents',
    operands: 'TYPE',
    isOffline: true,
    settings: ['server', 'catalogue', 'providers', 'currency'],
    options: {
      provider: textOption('NAME', 'Its provider; needed if several providers have a type of that name'),
      region: textOption(
        'NAME',
        'Only its prices and cheaper machines there; default: all regions, compared where it is cheapest on demand',
      ),
    },
    run: async (call) => {
      const server = serverOf(call)
      if (server !== undefined) {
        const region = call.text('region')
        return printType(call, await typeFromServer(server, call), region)
      }
      const deps = await offlinePricing(call.settings)
      const { showType } = await import('../../../pricing/instance-types/show-type.ts')
      const { resolveRegion, resolveType } = await import('../../../pricing/names.ts')
      const instanceType = call.operands[0]!
      const providerName = call.text('provider')
      const catalogue = deps.catalogue()
      const seller =
        providerName === undefined
          ? deps.providers.find((provider) => {
              const resolved = resolveType(catalogue, provider, instanceType).toLowerCase()
              return catalogue.typesOf(provider.key).some((name) => name.toLowerCase() === resolved)
            })
          : deps.findProvider(providerName)
      if (seller === undefined && providerName === undefined) throw noSuchType('The catalogue', instanceType)
      const given = call.text('region')
      const region = given && seller ? resolveRegion(catalogue, seller, given) : given
      const provider = seller?.key ?? providerName!
      const asked = { provider, instanceType, ...(region === undefined ? {} : { region }) }
      const details = orProblem(await showType(deps, defaultOrganisation, asked, today()))
      return printType(call, details, region)
    },
  },
]

type TypeList = Awaited<ReturnType<typeof listTypes>>['types']
type TypeDetails = Exclude<Awaited<ReturnType<typeof showType>>, NotFound>

async function printTypes(call: Call, types: TypeList): Promise<ExitCode> {
  const { renderTypes } = await import('../../render/types.ts')
  return call.show(types, () => renderTypes(types, today()).trimEnd())
}

async function printType(call: Call, details: TypeDetails, region: string | undefined): Promise<ExitCode> {
  const { renderType } = await import('../../render/types.ts')
  return call.show(details, () => renderType(details, today(), region).trimEnd())
}

/** Searches the provider of the type if --provider is not given. */
async function typeFromServer(server: ServiceClient, call: Call): Promise<TypeDetails> {
  const name = call.operands[0]!
  const provider = call.text('provider') ?? (await providerOf(server, name))
  return server.ask(`/v1/instance_types/${encodeURIComponent(provider)}/${encodeURIComponent(name)}`, {
    query: { region: call.text('region') },
  })
}

async function providerOf(server: ServiceClient, name: string): Promise<string> {
  const found = await server.ask<{ provider_key: string; instance_type: string }[]>('/catalogue/types', {
    query: { q: name, limit: 100 },
  })
  const match = found.find(({ instance_type }) => instance_type.toLowerCase() === name.toLowerCase())
  if (match === undefined) throw noSuchType('The service', name)
  return match.provider_key
}

const noSuchType = (who: string, name: string): CommandFailure =>
  new CommandFailure(
    `${who} has no type ${JSON.stringify(name)}; \`cheapside types list --name TEXT\` finds types by part of their name`,
  )

const today = (): string => new Date().toISOString().slice(0, 10)

function queryOf(call: Call): TypesQuery {
  const limit = call.number('limit') ?? 20
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new UsageError('--limit must be a whole number above 0')
  const query: Record<string, string | number> = { limit }
  const texts = {
    q: 'name',
    provider: 'provider',
    region: 'region',
    architecture: 'architecture',
    gpu_model: 'gpu',
  }
  for (const [member, option] of Object.entries({
    ...texts,
    generation: 'generation',
    kind: 'kind',
    sort: 'sort',
  })) {
    const value = call.text(option)
    if (value !== undefined) query[member] = value
  }
  const amounts = { min_cores: 'min-cores', min_memory_gb: 'min-memory', min_speed: 'min-speed' }
  const more = { min_local_disk_gb: 'min-disk', max_cost_per_hour: 'max-price' }
  for (const [member, option] of Object.entries({ ...amounts, ...more })) {
    const value = call.number(option, { least: 0 })
    if (value !== undefined) query[member] = value
  }
  return query as unknown as TypesQuery
}
