import { join } from 'node:path'
import type {
  KeyStore,
  Leases,
  MarketplaceStore,
  ModelStore,
  SessionStore,
  SettingsStore,
  Store,
} from '../port.ts'
import type { DecisionStore } from '../port-decisions.ts'
import type { PriceStore } from '../port-prices.ts'
import type { RecommendationStore } from '../port-recommendations.ts'
import { type Client, openClient } from './client.ts'
import { createPrivateFile, prepareDirectory } from './directory.ts'
import { usageOverClient } from './usage/client.ts'

export const databaseFile = 'cheapside.db'

interface SqliteAddress {
  readonly directory: string
  /** How long a call waits for a write of another process before it throws StoreUnavailable. */
  readonly busyTimeoutMs?: number
}

/** Opens the embedded database in a data directory. Other processes may open the same database at the same time. */
export async function openSqliteStore({ directory, busyTimeoutMs = 5_000 }: SqliteAddress): Promise<Store> {
  prepareDirectory(directory)
  const file = join(directory, databaseFile)
  createPrivateFile(file)
  return storeOverClient(await openClient({ file, busyTimeoutMs }))
}

export function storeOverClient(client: Client): Store {
  const remote = <Section>(section: string, ...methods: (keyof Section & string)[]) =>
    Object.fromEntries(
      methods.map((method) => [method, (...args: unknown[]) => client.call(`${section}.${method}`, args)]),
    ) as Section
  return {
    keys: remote<KeyStore>('keys', 'all', 'insert', 'insertFirst', 'rotate', 'revoke', 'touch'),
    sessions: remote<SessionStore>('sessions', 'all', 'insert', 'remove'),
    marketplace: {
      ...remote<MarketplaceStore>(
        'marketplace',
        'page',
        'find',
        'findById',
        'change',
        'removeById',
        'providers',
        'remove',
      ),
      async register(organisation, entries, maxEntries) {
        await client.call('marketplace.register', [organisation, maxEntries], { items: entries })
      },
    },
    changes: {
      versions: () => client.call('changes.versions', []) as Promise<Map<string, number>>,
      subscribe: client.onHint,
    },
    leases: remote<Leases>('leases', 'acquire', 'acquireAll', 'held', 'release'),
    prices: {
      ...remote<PriceStore>('prices', 'latest', 'latestId', 'history', 'prune'),
      publish: (catalogue, builtOn, changes) =>
        client.call('prices.publish', [catalogue, builtOn], { items: changes }) as Promise<boolean>,
    },
    usage: usageOverClient(client),
    settings: remote<SettingsStore>('settings', 'read', 'write', 'replace'),
    models: remote<ModelStore>('models', 'trainedAt', 'read', 'write'),
    recommendations: remote<RecommendationStore>('recommendations', 'page', 'find', 'write'),
    decisions: remote<DecisionStore>('decisions', 'read', 'write', 'prune'),
    async ping() {
      await client.call('database.ping', [])
    },
    close: client.close,
  }
}
