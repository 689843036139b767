import { expect, test } from 'vitest'
import { entityKey } from './digest/entities.ts'
import { listSources } from './list-sources.ts'
import type { EntityRow } from './port.ts'

const row = (kind: 'node' | 'machine', cluster: string, name: string, lastHour: number): EntityRow => ({
  key: entityKey({ kind, cluster, namespace: '', name }),
  kind,
  cluster,
  lastHour,
  json: '',
})

test('clusters by their latest node, machines by name; silent after an hour without a sample', async () => {
  const rows = [
    row('machine', '', 'b', 98),
    row('machine', '', 'a', 99),
    row('node', 'prod', 'n1', 10),
    row('node', 'prod', 'n2', 100),
    row('node', 'old', 'n3', 7),
  ]
  const store = { usage: { entities: async () => rows } }
  const sources = await listSources({ store, now: () => 100.9 * 3_600_000 }, 'acme')
  expect(sources.map(({ kind, name, is_silent }) => [kind, name, is_silent])).toEqual([
    ['cluster', 'old', true],
    ['cluster', 'prod', false],
    ['machine', 'a', false],
    ['machine', 'b', true],
  ])
  expect(sources[0]!.last_seen).toBe('1970-01-01T07:00:00.000Z')
})
