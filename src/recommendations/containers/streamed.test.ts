import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../store/open.ts'
import type { Store } from '../../store/port.ts'
import { firstHour, type SyntheticPod } from '../../usage/reading/pods.case.ts'
import { manifestAnswer, manifestFormats } from '../manifests/manifest-answer.ts'
import { writeManifest } from '../manifests/write-manifest.case.ts'
import { viewNamespace } from './answer/view-namespace.case.ts'
import { recommendSizes } from './recommend-sizes.case.ts'
import type { NamespaceRecommendation } from './schema.ts'
import { sizesAnswer } from './sizes-answer.ts'
import { depsAt, queryUntil, storePods } from './test-namespaces.case.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-streamed-'))
const [organisation, days] = ['a', 3]
const toHour = firstHour + days * 24
let store: Store
beforeAll(async () => {
  store = await openStore({ dataDirectory: directory })
  await storePods(store, organisation, [...pods, ...replicas], days)
})
afterAll(async () => {
  await store.close()
  rmSync(directory, { recursive: true, force: true })
})

/**
 * Workloads of several kinds and sizes whose pods do not follow each other by name, on nodes that are too small for
 * them.
 */
const pods: SyntheticPod[] = ['shop', 'till', 'bank'].flatMap((namespace, place) =>
  Array.from({ length: 24 }, (_, index) => ({
    cluster: place < 2 ? 'c' : 'd',
    namespace,
    pod: `${'zyxwv'[index % 5]}-${index}`,
    container: index % 4 === 0 ? 'side' : 'app',
    workload: `${['Deployment', 'StatefulSet', 'Pod', 'Unheard'][index % 4]}/w${index % 7}`,
    node: `n${index % 3}`,
    cores: (hour: number) => 0.2 + ((index * 7 + hour) % 11) / 20,
    gib: 0.3 + (index % 5) / 4,
    cpuRequest: index % 3 === 0 ? 1 : 0.1,
    memoryRequest: index % 2 === 0 ? 2 : 0.5,
    memoryLimit: index % 5 === 0 ? 3 : undefined,
    from: firstHour + (index % 6),
    hours: days * 24 - (index % 9) - 6,
    init: index % 8 === 0,
  })),
)

/** A workload with more pods than are held at once. One of them uses far more CPU than the others. */
const replicas: SyntheticPod[] = Array.from({ length: 80 }, (_, index) => ({
  cluster: 'd',
  namespace: 'large',
  pod: `r-${index}`,
  workload: 'Deployment/large',
  node: `m${index % 4}`,
  cores: index === 50 ? 2 : 0.1 + (index % 9) / 50,
  gib: 0.1 + (index % 3) / 10,
  cpuRequest: 0.5,
  memoryRequest: 1,
  from: firstHour + (index % 5) * 8,
  hours: 20 + (index % 7),
  startsAt: (hour: number) => hour % 24 === index % 24,
}))

/** 4 cores and 8 GiB: 0.152 an hour. */
const price = { corePerHourUsd: 0.03, gibPerHourUsd: 0.004, perHourUsd: 0.152 }
const whole = () => ({ ...depsAt(store, toHour, price), maxPods: Number.POSITIVE_INFINITY })
/** Reads every namespace in batches. */
const batched = () => ({ ...depsAt(store, toHour, price), maxPods: 5 })
const nobodyLeaves = new AbortController().signal

async function answer(query: Parameters<typeof queryUntil>[1] = {}, format: 'json' | 'ndjson' = 'json') {
  const asked = queryUntil(toHour, query)
  const { pieces, next } = await sizesAnswer(batched(), organisation, asked, format, nobodyLeaves)
  return { text: await text(pieces), next }
}

async function expected(query: Parameters<typeof queryUntil>[1] = {}): Promise<NamespaceRecommendation[]> {
  const deps = whole()
  const { namespaces } = await recommendSizes(deps, organisation, queryUntil(toHour, query))
  return namespaces.map((sized) => viewNamespace(sized, deps.now()))
}

test('reading in batches and writing in pieces gives the same answer', async () => {
  expect(JSON.parse((await answer()).text)).toEqual(await expected())
  expect(JSON.parse((await answer({ explain: true })).text)).toEqual(await expected({ explain: true }))
  const lines = (await answer({}, 'ndjson')).text.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(await expected())
})

test('an empty answer is an empty list', async () => {
  expect((await answer({ namespace: 'nowhere' })).text).toBe('[]')
  expect((await answer({ namespace: 'nowhere' }, 'ndjson')).text).toBe('')
})

describe('pages that count containers', () => {
  test.each([7, 1000])(
    'of %i contain each container once, with the totals of its namespace',
    async (size) => {
      const alone = new Map<string, NamespaceRecommendation>()
      for (const namespace of ['shop', 'till', 'bank', 'large'])
        alone.set(namespace, (await expected({ namespace }))[0]!)
      const seen = new Map<string, object>()
      let cursor: string | undefined
      do {
        const page = await answer({ container_limit: size, cursor })
        cursor = page.next
        let containers = 0
        for (const { ContainerRecommendations: found, ...totals } of JSON.parse(page.text)) {
          const { ContainerRecommendations, ...expectedTotals } = alone.get(totals.Namespace)!
          expect(totals).toEqual(expectedTotals)
          containers += Object.keys(found).length
          seen.set(totals.Namespace, { ...seen.get(totals.Namespace), ...found })
        }
        expect(containers).toBeGreaterThan(0)
        expect(containers).toBeLessThanOrEqual(size)
      } while (cursor !== undefined)
      for (const [namespace, { ContainerRecommendations }] of alone)
        expect(seen.get(namespace)).toEqual(ContainerRecommendations)
    },
  )

  test('and namespaces end at the limit that is reached first', async () => {
    const first = await answer({ container_limit: 1000, limit: 2 })
    expect(JSON.parse(first.text)).toHaveLength(2)
    const second = await answer({ container_limit: 1000, limit: 2, cursor: first.next })
    expect(JSON.parse(second.text)).toHaveLength(2)
  })
})

test.each(manifestFormats)('%s is the same in batches', async (format) => {
  const query = {
    ...queryUntil(toHour, { cluster: 'c', namespace: 'shop' }),
    cluster: 'c',
    namespace: 'shop',
  }
  const { namespaces } = await recommendSizes(whole(), organisation, query)
  const pieces = manifestAnswer(batched(), organisation, query, format, nobodyLeaves)
  expect(await text(pieces)).toBe(writeManifest(namespaces[0]!, format))
})

test('the work ends when its result is no longer needed', async () => {
  const gone = AbortSignal.abort(new Error('gone'))
  const { pieces } = await sizesAnswer(batched(), organisation, queryUntil(toHour), 'json', gone)
  await expect(pieces.next()).rejects.toThrow('gone')
})
