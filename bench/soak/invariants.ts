import { ask, eventually } from '../../test/service.ts'
import { usageOf, withStoreOf } from '../../test/usage-cluster.ts'
import { type Ledger, markOf } from './ledger.ts'
import type { Target } from './target.ts'
import type { Organisation } from './worker.ts'

/** Compares the stored data with what was acknowledged. Returns how much was compared. */
export async function checkKept(
  target: Target,
  ledger: Ledger,
  organisations: readonly Organisation[],
): Promise<string[]> {
  await target.ready()
  return [
    await checkProviders(target, ledger, organisations),
    await checkKeys(target, ledger),
    await checkPushes(target, ledger, organisations),
  ]
}

async function checkProviders(
  { url }: Target,
  ledger: Ledger,
  organisations: readonly Organisation[],
): Promise<string> {
  let entries = 0
  for (const { name: owner, key } of organisations) {
    const listed = (await ask(url, '/marketplace/providers', { key })).json.providers as {
      provider: string
    }[]
    const names = new Set(listed.map(({ provider }) => provider))
    for (const name of names)
      if (!ledger.providers.has(`${owner} ${name}`))
        ledger.violate(`${owner} has a provider that it did not register`)
    for (const [id, possible] of ledger.providers) {
      const [organisation, name] = id.split(' ') as [string, string]
      if (organisation !== owner) continue
      const found = names.has(name)
        ? (await ask(url, `/marketplace/providers/${name}`, { key })).json.length
        : 0
      entries += found
      if (!possible.includes(found))
        ledger.violate(`a provider has ${found} entries where ${possible.join(' or ')} were acknowledged`)
    }
  }
  return `${ledger.providers.size} providers registered, ${entries} entries there`
}

async function checkKeys({ url }: Target, ledger: Ledger): Promise<string> {
  for (const [key, possible] of ledger.keys) {
    const { status } = await ask(url, '/key', { key })
    if (!possible.includes(status === 200))
      ledger.violate(`a key that was ${possible[0] ? 'issued' : 'revoked'} gets ${status}`)
  }
  return `${ledger.keys.size} keys issued`
}

async function checkPushes(
  target: Target,
  ledger: Ledger,
  organisations: readonly Organisation[],
): Promise<string> {
  let observations = 0
  await withStoreOf(target.storeAt, async (store) => {
    await eventually(async () => (await store.usage.partitions()).every(({ pending }) => !pending))
    for (const { name: owner } of organisations) {
      const usage = [...(await usageOf(store, owner))]
      for (const [subject] of usage)
        if (!subject.includes(markOf(owner))) ledger.violate(`${owner} has usage of another: ${subject}`)
      for (const [id, acknowledged] of ledger.pushes) {
        const [organisation, name] = id.split(' ') as [string, string]
        if (organisation !== owner) continue
        const found = usage.find(([subject]) => subject.includes(name))?.[1].memory.count ?? 0
        observations += found
        // The last push may be stored without an acknowledgement, or may have been acknowledged and sent once more.
        if (found !== acknowledged && found !== acknowledged + 1)
          ledger.violate(`${found} observations of ${name} where ${acknowledged} were acknowledged`)
      }
    }
  })
  return `${observations} observations of memory from ${ledger.pushes.size} senders`
}
