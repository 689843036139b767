import { join } from 'node:path'
import type { Store } from '../port.ts'
import { type Client, openClient, remoteMethods } from './client.ts'
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
  const remote = <Name extends keyof Store>(
    name: Name,
    ...methods: readonly (keyof Store[Name] & string)[]
  ) => remoteMethods<Store[Name]>(client, name, ...methods)
  return {
    keys: remote('keys', 'all', 'insert', 'insertFirst', 'rotate', 'revoke', 'touch'),
    sessions: remote('sessions', 'all', 'insert', 'remove'),
    marketplace: {
      ...remote('marketplace', 'page', 'find', 'findById', 'change', 'removeById', 'providers', 'remove'),
      async register(organisation, entries, maxEntries) {
        await client.call('marketplace.register', [organisation, maxEntries], { items: entries })
      },
    },
    changes: { ...remote('changes', 'versions'), subscribe: client.onHint },
    leases: remote('leases', 'acquire', 'acquireAll', 'held', 'release'),
    prices: {
      ...remote('prices', 'latest', 'latestId', 'history', 'prune'),
      publish: (catalogue, builtOn, changes) =>
        client.call('prices.publish', [catalogue, builtOn], { items: changes }) as Promise<boolean>,
    },
    nodePrices: remote('nodePrices', 'read', 'write', 'replace', 'remove'),
    usage: usageOverClient(client),
    settings: remote('settings', 'read', 'write', 'replace'),
    models: remote('models', 'trainedAt', 'read', 'write'),
    documents: remote('documents', 'read', 'write', 'remove'),
    recommendations: remote('recommendations', 'page', 'find', 'write', 'list', 'writeList'),
    decisions: remote('decisions', 'read', 'write', 'prune'),
    async ping() {
      await client.call('database.ping', [])
    },
    close: client.close,
  }
}
