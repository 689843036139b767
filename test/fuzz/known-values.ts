import type { RunningService } from '../service.ts'
import { oddDates } from './hostile-values.ts'
import type { Random } from './random.ts'

/** Values that exist in the service, so that requests with them pass its checks. */
export interface KnownValues {
  readonly offers: readonly KnownOffer[]
  readonly lists: Readonly<Record<string, readonly string[]>>
}

export type KnownOffer = Readonly<Record<string, string>>

interface CatalogueType {
  provider_key: string
  instance_type: string
  regions: string[]
  operating_systems: string[]
  usage_types: string[]
}

const scopes = ['pricing:read', 'marketplace:write', 'gateway:read', 'gateway:write', 'usage:write', 'admin']
const profiles = ['balanced', 'cost', 'safe', 'vpa', 'krr-simple', 'krr-p99', 'kubecost', 'autopilot']

export async function askKnownValues(service: RunningService, planted: PlantedNames): Promise<KnownValues> {
  const offers: KnownOffer[] = []
  for (const query of ['q=m5', 'q=e2', 'q=cx', 'q=s-', 'q=Standard_D', 'q=b2']) {
    const types: CatalogueType[] = (await service.request(`/catalogue/types?${query}&limit=20`)).json
    for (const type of types)
      offers.push({
        provider: type.provider_key,
        instance_type: type.instance_type,
        region: type.regions[0]!,
        operating_system: type.operating_systems[0]!,
        usage_type: type.usage_types[0]!,
        availability_zone: '',
        service: '',
      })
  }
  const distinct = (name: string) => [...new Set(offers.map((offer) => offer[name]!))]
  const now = Date.now()
  const dates = [0, 1, 3, 24, 30 * 24].map((hours) => new Date(now - hours * 3_600_000).toISOString())
  return {
    offers,
    lists: {
      provider: [...distinct('provider'), 'base', ...planted.providers],
      providers: [...distinct('provider'), ...planted.providers],
      instance_type: distinct('instance_type'),
      instance_types: distinct('instance_type'),
      region: distinct('region'),
      regions: distinct('region'),
      operating_system: ['Linux', 'Windows', ''],
      usage_type: ['ONDEMAND', 'on-demand', 'RESERVED', 'SPOT_PREEMPTIBLE'],
      usage_types: ['ONDEMAND', 'RESERVED', 'SPOT_PREEMPTIBLE'],
      architectures: ['x86_64', 'arm64'],
      name: planted.providers,
      service: ['', 'AmazonEC2', 'rack'],
      q: ['m5', 'large', 'c', 'Standard'],
      term: ['', '1yr', '3yr'],
      organisation: planted.organisations,
      scopes,
      profile: profiles,
      cluster: planted.clusters,
      namespace: ['shop', 'tools'],
      vm: planted.machines,
      process_group: ['kubernetes', 'docker', 'system', 'user', 'unknown'],
      start_date: dates,
      end_date: dates,
      expires_at: [new Date(now + 86_400_000).toISOString()],
      id: ['AAAAAAAAAAAA', 'fuzz'],
      state: ['open', 'accepted', 'dismissed', 'snoozed', 'all', 'open,accepted'],
      risk: ['low', 'medium,high', 'all'],
      finding: ['oom-kills', 'throttled'],
      until: [new Date(now + 86_400_000).toISOString()],
      cursor: [],
    },
  }
}

export interface PlantedNames {
  readonly organisations: readonly string[]
  readonly providers: readonly string[]
  readonly clusters: readonly string[]
  readonly machines: readonly string[]
}

/** A value of this member that exists in the service, usually of the same offer as the other members of the request. */
export function knownValue(
  { lists }: KnownValues,
  name: string,
  offer: KnownOffer,
  random: Random,
): string | undefined {
  if (name === 'cursor') return forgedCursor(random)
  if (/_date$|_at$/.test(name) && random.chance(0.2)) return random.pick(oddDates)
  const ofOffer = offer[name]
  if (ofOffer !== undefined && random.chance(0.9)) return ofOffer
  const list = lists[name]
  return list === undefined || list.length === 0 ? undefined : random.pick(list)
}

const cursorContents: readonly unknown[] = [
  [],
  ['a'],
  ['c1', 'shop'],
  ['web-1', 'x\u0000y'],
  [null, null],
  [1, 2],
  [['a'], {}],
  ['\u0000', '\ud800'],
  { length: 2 },
  'text',
  ['', '', '', '', '', '', ''],
  ['rack', 'cellar', '', 'rack-1', 'Linux', 'ONDEMAND'],
  ['x'.repeat(4_000), ''],
]

function forgedCursor(random: Random): string {
  const text = JSON.stringify(random.pick(cursorContents))
  return random.chance(0.9)
    ? Buffer.from(text).toString(random.pick(['base64url', 'base64']))
    : random.pick([text, '====', 'AA', '\u0000'])
}
