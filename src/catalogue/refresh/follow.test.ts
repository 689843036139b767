import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { enabledProviders } from '../../pricing/market.ts'
import { loadCatalogue, shippedCatalogue } from '../load-catalogue.ts'
import { unpackInThread } from './follow.ts'

/** Counts how often this thread is free for others while something is under way. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let turns = 0
  let under = true
  const turn = () => {
    turns++
    if (under) setImmediate(turn)
  }
  setImmediate(turn)
  const result = await work()
  under = false
  return { turns, result }
}

for (const [what, more] of [
  ['of the usual providers', []],
  ['with one that was turned on', ['linode']],
] as const) {
  test(`a catalogue ${what} is the one that is loaded here, and others are answered meanwhile`, async () => {
    const { providers } = enabledProviders(more)
    const { catalogue, manifest } = await loadCatalogue(shippedCatalogue, providers)
    const bytes = await readFile(shippedCatalogue)
    const { turns, result } = await turnsDuring(() => unpackInThread(bytes, providers))
    expect(turns).toBeGreaterThan(100)
    expect(result.manifest).toEqual(manifest)
    expect(result.catalogue.id).toBe(catalogue.id)
    expect(result.catalogue.offerCount).toBe(catalogue.offerCount)
    expect(result.catalogue.facets()).toEqual(catalogue.facets())
    for (let at = 0; at < catalogue.offerCount; at += 997)
      expect(result.catalogue.offer(at).copy()).toEqual(catalogue.offer(at).copy())
  })
}

test('an error while unpacking is reported', async () => {
  await expect(unpackInThread(Buffer.from('no snapshot'), [])).rejects.toThrow('not a catalogue snapshot')
})
