import { describe, expect, test } from 'vitest'
import { subjectKey } from '../../domain/subject.ts'
import type { DigestQuery } from '../../usage/port.ts'
import type { ContractContext } from './contract-context.case.ts'
import { oddNames } from './examples.case.ts'
import {
  checkpoint,
  compactDay,
  container,
  day,
  digest,
  entity,
  hour,
  push,
  read,
  row,
} from './usage-examples.case.ts'

export function usageReadingContract({ freshStore, twoNodes }: ContractContext): void {
  describe('usage: reading', () => {
    async function filled() {
      const store = await freshStore()
      const { epoch } = await store.usage.open(push)
      const keys = [
        container('a'),
        container('a', 'shop', 'two'),
        container('b', 'bank'),
        container('a', 'shop2'),
        ...oddNames.filter((name) => name !== '').map((name) => container('odd', name)),
        subjectKey({ kind: 'process', vm: 'web', group: 'user', process: 'nginx', cgroup: '/x' }),
        subjectKey({ kind: 'process', vm: 'web2', group: 'user', process: 'nginx', cgroup: '/x' }),
      ]
      const digests = [digest(hour, 1, 1), digest(hour + 5, 2, 2), digest(hour + 25, 3, 3)]
      await store.usage.commit(push, epoch, checkpoint({ subjects: keys.map((key) => row(key, digests)) }))
      return store
    }

    const questions: [Partial<DigestQuery>, string[]][] = [
      [{ cluster: 'two' }, ['two/shop/a push:1 push:2 push:3']],
      [{ cluster: 'one', namespace: 'shop' }, ['one/shop/a push:1 push:2 push:3']],
      [{ namespace: 'shop', fromHour: hour + 25 }, ['one/shop/a push:3', 'two/shop/a push:3']],
      [{ cluster: 'one', namespace: 'bank', fromHour: hour + 1, toHour: hour + 25 }, ['one/bank/b push:2']],
      [{ cluster: 'one', namespace: 'bank', fromHour: hour + 26 }, []],
      [{ cluster: 'on' }, []],
      [{ cluster: '', namespace: 'shop' }, []],
      [{ kind: 'process', toHour: hour + 1 }, ['web/user/nginx push:1', 'web2/user/nginx push:1']],
      [{ kind: 'process', vm: 'web', toHour: hour + 1 }, ['web/user/nginx push:1']],
      [{ kind: 'process', vm: 'nowhere' }, []],
      [{ kind: 'process', after: 'p\0web\x01', toHour: hour + 1 }, ['web2/user/nginx push:1']],
      [{ kind: 'process', after: 'c\0zzz', toHour: hour + 1, vm: 'web' }, ['web/user/nginx push:1']],
      [{ kind: 'process', after: 'p\0web2\x01' }, []],
      [{ cluster: 'one', namespace: 'shop', after: container('a') }, []],
      [{ namespace: 'shop', after: container('a'), fromHour: hour + 25 }, ['two/shop/a push:3']],
      [
        { keys: [container('a', 'shop', 'two'), container('a'), container('nobody')], toHour: hour + 1 },
        ['one/shop/a push:1', 'two/shop/a push:1'],
      ],
      [{ keys: [container('a')], after: container('a') }, []],
      [{ keys: [container('a')], cluster: 'two' }, []],
      [{ keys: [] }, []],
    ]
    test('only the requested window and names are returned', async () => {
      const store = await filled()
      for (const [query, expected] of questions) expect(await read(store, query)).toEqual(expected)
      for (const name of oddNames.filter((one) => one !== ''))
        expect(await read(store, { cluster: 'one', namespace: name, toHour: hour + 1 })).toEqual([
          `one/${name}/odd push:1`,
        ])
      expect(await read(store, {}, 'other')).toEqual([])
    })

    test('entities by kind and cluster, of every partition', async () => {
      const { usage } = await freshStore()
      for (const source of ['push', 'collect/one']) {
        const { epoch } = await usage.open({ ...push, source })
        const entities = [
          entity('n1', { json: source }),
          entity('q', { key: 'quota\0two\0shop\0q', kind: 'quota', cluster: 'two' }),
        ]
        await usage.commit({ ...push, source }, epoch, checkpoint({ entities }))
      }
      const names = async (query: Parameters<typeof usage.entities>[1]) =>
        (await usage.entities('acme', query)).map(({ key, json }) => `${key.split('\0')[3]} ${json}`)
      expect(await names({ kinds: ['node'] })).toEqual(['n1 collect/one', 'n1 push'])
      expect(await names({ cluster: 'two', kinds: ['node', 'quota'] })).toHaveLength(2)
      expect(await names({ cluster: 'two', kinds: ['node'] })).toEqual([])
      expect(await names({ cluster: 'a\0b' })).toEqual([])
      expect(await names({})).toHaveLength(4)
      expect(await usage.entities('other', {})).toEqual([])
      expect(await names({ kinds: ['node'], fromHour: hour + 9 })).toEqual([])
    })

    test('of the entities of a day, a partition is opened with the latest, and all are read', async () => {
      const { usage } = await freshStore()
      const { epoch } = await usage.open(push)
      const entities = [1, 80, 100].map((lastHour) =>
        entity(`c${lastHour}`, { key: `claim\0one\0shop\0c/${lastHour}`, kind: 'claim', lastHour }),
      )
      await usage.commit(push, epoch, checkpoint({ entities: [...entities, entity('n1', { lastHour: 1 })] }))
      const opened = await usage.open(push)
      expect(opened.entities.map(({ kind, lastHour }) => `${kind} ${lastHour}`).sort()).toEqual([
        'claim 100',
        'claim 80',
        'node 1',
      ])
      expect(await usage.entities('acme', { kinds: ['claim'] })).toHaveLength(3)
      expect(await usage.entities('acme', { kinds: ['claim'], fromHour: 80 })).toHaveLength(2)
    })
  })

  describe('usage: compaction and retention of days', () => {
    async function threeDays() {
      const store = await freshStore()
      const { epoch } = await store.usage.open(push)
      const digests = [0, 23, 24, 48].map((n) => digest(hour + n, n + 1, n))
      const subjects = [container('a'), container('b')].map((key) => row(key, digests))
      await store.usage.commit(
        push,
        epoch,
        checkpoint({ subjects, entities: [entity('n', { lastHour: hour })] }),
      )
      return { store, epoch }
    }

    test('loose days are listed until they are compacted; late rows make a day loose again', async () => {
      const { store, epoch } = await threeDays()
      const loose = async (before = hour + 49) =>
        (await store.usage.loose(push, before, 100)).map(
          ({ key, day: of, rows }) =>
            `${key.split('\0')[3]} ${of - day} ${rows.map(([byte]) => byte).join(',')}`,
        )
      expect(await loose()).toEqual(['a 1 24', 'b 1 24', 'a 0 0,23', 'b 0 0,23'])
      expect(await store.usage.loose(push, hour + 49, 3)).toHaveLength(3)
      await store.usage.compact(push, epoch, [compactDay('a', day, 100), compactDay('a', day + 1, 101)])
      expect(await loose()).toEqual(['b 1 24', 'b 0 0,23'])
      expect(await read(store)).toEqual([
        'one/shop/a push:100 push:101 push:48',
        'one/shop/b push:0 push:23 push:24 push:48',
      ])
      expect(await read(store, { fromHour: hour + 5, toHour: hour + 24 })).toEqual([
        'one/shop/a push:100',
        'one/shop/b push:23',
      ])
      const late = checkpoint({ subjects: [row(container('a'), [digest(hour + 3, 9, 9)])] })
      await store.usage.commit(push, epoch, late)
      expect(await loose(hour + 24)).toEqual(['a 0 100,9', 'b 0 0,23'])
    })

    test('whole days are returned as summaries on request, unless they have additional rows', async () => {
      const { store, epoch } = await threeDays()
      const days = [0, 1, 2].map((n) => compactDay('a', day + n, 100 + n))
      await store.usage.compact(push, epoch, days)
      const asked = (fromHour: number, toHour: number, summariesBefore: number) =>
        read(store, {
          keys: [container('a')],
          fromHour: hour + fromHour,
          toHour: hour + toHour,
          summariesBefore: hour + summariesBefore,
        })
      expect(await asked(0, 72, 72)).toEqual(['one/shop/a days:100.100.101.101.102.102'])
      expect(await asked(0, 72, 71)).toEqual(['one/shop/a push:102 days:100.100.101.101'])
      expect(await asked(1, 60, 1e6)).toEqual(['one/shop/a push:100 push:102 days:101.101'])
      expect(await asked(0, 72, 23)).toEqual(['one/shop/a push:100 push:101 push:102'])
      expect(await asked(3, 20, 1e6)).toEqual(['one/shop/a push:100'])
      const late = checkpoint({ subjects: [row(container('a'), [digest(hour + 27, 9, 9)])] })
      await store.usage.commit(push, epoch, late)
      expect(await asked(0, 72, 72)).toEqual(['one/shop/a push:101 push:9 days:100.100.101.101.102.102'])
      const other = { ...push, source: 'collect/one' }
      await store.usage.compact(other, (await store.usage.open(other)).epoch, [compactDay('a', day + 2, 7)])
      const [all] = await asked(0, 72, 72)
      expect(all!.split(' ').toSorted()).toEqual(
        ['one/shop/a', 'push:100', 'push:101', 'push:9', 'push:102', 'collect/one:7'].toSorted(),
      )
    })

    test('a day that is compacted in one partition and loose in another is returned as rows of both', async () => {
      const store = await freshStore()
      const collected = { ...push, source: 'collect/one' }
      const pushed = { ...push, shard: 3 }
      const open = async (partition: typeof pushed | typeof collected) => {
        const { epoch } = await store.usage.open(partition)
        const digests = [digest(hour + epoch, 1, 5)]
        await store.usage.commit(partition, epoch, checkpoint({ subjects: [row(container('a'), digests)] }))
        return epoch
      }
      await open(collected)
      await store.usage.compact(pushed, await open(pushed), [compactDay('a', day, 100)])
      const [all] = await read(store, { toHour: hour + 24, summariesBefore: hour + 24 })
      expect(all!.split(' ')).toEqual(expect.arrayContaining(['collect/one:5', 'push:100']))
    })

    test('a day rewritten without a summary has none', async () => {
      const { store, epoch } = await threeDays()
      const query = { keys: [container('a')], toHour: hour + 24, summariesBefore: hour + 24 }
      await store.usage.compact(push, epoch, [compactDay('a', day, 100)])
      expect(await read(store, query)).toEqual(['one/shop/a days:100.100'])
      await store.usage.compact(push, epoch, [{ ...compactDay('a', day, 5), summary: new Uint8Array() }])
      expect(await read(store, query)).toEqual([])
    })

    test('returns the first key of a cluster or namespace', async () => {
      const { store } = await threeDays()
      const first = (query: Partial<DigestQuery>, organisation = 'acme') =>
        store.usage.firstKey(organisation, { kind: 'container', fromHour: 0, toHour: 1, ...query })
      expect(await first({})).toBe(container('a'))
      expect(await first({ cluster: 'one', after: container('a') })).toBe(container('b'))
      expect(await first({ after: container('b') })).toBeUndefined()
      expect(await first({ cluster: 'one', namespace: 'bank' })).toBeUndefined()
      expect(await first({}, 'other')).toBeUndefined()
    })

    test('prune removes whole days in batches, and entities that only these describe', async () => {
      const { store, epoch } = await threeDays()
      await store.usage.compact(push, epoch, [compactDay('a', day, 100)])
      let gone = 0
      for (let rows = -1; rows !== 0; gone += rows) rows = await store.usage.prune('acme', hour + 30, 2)
      expect(gone).toBe(4)
      expect(await read(store)).toEqual(['one/shop/a push:24 push:48', 'one/shop/b push:24 push:48'])
      expect(await read(store, { summariesBefore: hour + 24 })).toEqual(await read(store))
      expect(await store.usage.entities('acme', {})).toEqual([])
      expect((await store.usage.open(push)).subjects).toHaveLength(2)
      expect(await store.usage.prune('other', hour + 1000, 100)).toBe(0)
      await store.usage.prune('acme', hour + 1000, 100)
      expect(await read(store)).toEqual([])
      expect((await store.usage.open(push)).subjects).toEqual([])
    })

    test('prune removes dropped days, and subjects that only these describe', async () => {
      const { store, epoch } = await threeDays()
      const gone = checkpoint({ subjects: [row(container('gone'), [digest(hour, 1, 1)])] })
      await store.usage.commit(push, epoch, gone)
      await store.usage.dropDays(hour + 30)
      while ((await store.usage.prune('acme', hour + 30, 100)) > 0);
      expect(await read(store)).toEqual(['one/shop/a push:24 push:48', 'one/shop/b push:24 push:48'])
      expect((await store.usage.open(push)).subjects.map(({ key }) => key).toSorted()).toEqual([
        container('a'),
        container('b'),
      ])
      const late = await store.usage.open(push)
      await store.usage.commit(push, late.epoch, gone)
      expect(await read(store, { toHour: hour + 1 })).toEqual(['one/shop/gone push:1'])
    })

    test('concurrent commits and pruning both succeed', async () => {
      const [one, two] = await twoNodes()
      const { epoch } = await one.usage.open(push)
      const rounds = 15
      const write = (async () => {
        for (let n = 0; n < rounds; n++)
          await one.usage.commit(
            push,
            epoch,
            checkpoint({
              subjects: [0, 1, 2, 3].map((pod) => row(container(`p${pod}`), [digest(n * 24, n + 1, n)])),
            }),
          )
      })()
      for (let n = 0; n < rounds; n++) await two.usage.prune('acme', 24 * rounds * 2, 3)
      await write
      await one.usage.commit(
        push,
        epoch,
        checkpoint({ subjects: [row(container('p1'), [digest(hour, 99, 99)])] }),
      )
      for (; (await two.usage.prune('acme', hour, 100)) > 0; );
      expect(await read(two)).toEqual(['one/shop/p1 push:99'])
    })
  })
}
