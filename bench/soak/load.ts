import { setTimeout as delay } from 'node:timers/promises'
import { randomFor } from '../../test/fuzz/random.ts'
import { ask } from '../../test/service.ts'
import { keyWork, marketplaceWork } from './changes.ts'
import { type Ledger, markOf } from './ledger.ts'
import { pushWork } from './pushes.ts'
import { readWork } from './reads.ts'
import type { Target } from './target.ts'
import type { Organisation, Work, Worker } from './worker.ts'

export interface Load {
  readonly organisations: readonly Organisation[]
  /** Resolves when all work in progress is done. */
  stop(): Promise<void>
}

/**
 * Kinds of work that every organisation does at the same time. The first argument of pushWork is an agent or a cluster.
 */
const works: readonly Work[] = [
  pushWork('cluster', 0),
  pushWork('cluster', 1),
  pushWork('machine', 0),
  marketplaceWork,
  keyWork,
  readWork,
]

export async function startLoad(target: Target, ledger: Ledger, seed: number): Promise<Load> {
  const organisations = await Promise.all(
    ['acme', 'globex', 'initech'].map(async (name): Promise<Organisation> => {
      const scopes = ['pricing:read', 'marketplace:write', 'gateway:read', 'usage:write']
      const body = { organisation: name, name: 'soak', scopes }
      return { name, key: (await ask(target.url, '/admin/keys', { key: target.key, body })).json.key }
    }),
  )
  let stopped = false
  const send: Worker['send'] = async (path, options) => {
    const answer = await ask(target.url, path, options).catch(() => ({
      status: 0,
      text: '',
      json: undefined,
    }))
    // Waits a moment if the service is not available.
    if (answer.status === 0 || answer.status === 503) await delay(100)
    return answer
  }
  const working = organisations.flatMap((organisation, place) =>
    works.map((work, kind) => {
      const random = randomFor(seed, place * works.length + kind)
      const running = () => !stopped
      return work({
        ledger,
        organisation,
        adminKey: target.key,
        random,
        running,
        send: watched(organisation),
      })
    }),
  )
  /** Searches every response to this organisation for texts of other organisations. */
  function watched({ name }: Organisation): Worker['send'] {
    const others = organisations.filter((other) => other.name !== name)
    return async (path, options) => {
      const answer = await send(path, options)
      if (options.key !== target.key)
        for (const other of others)
          if (answer.text.includes(markOf(other.name)))
            ledger.violate(`${name} reads of ${other.name} at ${path.split('?')[0]}`)
      return answer
    }
  }
  return {
    organisations,
    async stop() {
      stopped = true
      await Promise.all(working)
    },
  }
}
