import { subjectKey, subjectOfKey } from '../../domain/subject.ts'
import type {
  Checkpoint,
  CompactDay,
  DigestQuery,
  EntityRow,
  JournalEntry,
  Partition,
  StoredSubject,
  SubjectRow,
} from '../../usage/port.ts'
import type { Store } from '../port.ts'

export const push: Partition = { organisation: 'acme', source: 'push' }
export const day = 20_000
export const hour = day * 24

export const entry = (body: readonly number[], more: Partial<JournalEntry> = {}): JournalEntry => ({
  partition: push,
  receivedAt: 1_700_000_000_000,
  format: 'remote-write-1',
  cluster: 'test',
  body: Uint8Array.from(body),
  ...more,
})

export const container = (pod: string, namespace = 'shop', cluster = 'one') =>
  subjectKey({ kind: 'container', cluster, namespace, pod, container: 'app' })

export const row = (key: string, digests: SubjectRow['digests'], state = [1]): SubjectRow => ({
  key,
  subject: subjectOfKey(key),
  state: Uint8Array.from(state),
  digests,
})

export const digest = (at: number, part: number, ...bytes: number[]) => ({
  hour: at,
  part,
  bytes: Uint8Array.from(bytes),
})

/** A day of a pod's container: a row of one byte, and a summary with the same byte twice. */
export const compactDay = (pod: string, of: number, byte: number): CompactDay => ({
  key: container(pod),
  day: of,
  bytes: Uint8Array.of(byte),
  summary: Uint8Array.of(byte, byte),
})

export const entity = (name: string, more: Partial<EntityRow> = {}): EntityRow => ({
  key: `node\0one\0\0${name}`,
  kind: 'node',
  cluster: 'one',
  lastHour: hour,
  json: '{"first":1}',
  ...more,
})

export const checkpoint = (more: Partial<Checkpoint>): Checkpoint => ({
  subjects: [],
  entities: [],
  consumed: [],
  forgotten: [],
  resume: '',
  ...more,
})

export const always: DigestQuery = { kind: 'container', fromHour: 0, toHour: 1e9 }

export async function read(store: Store, query: Partial<DigestQuery> = {}, organisation = 'acme') {
  const found: StoredSubject[] = []
  for await (const subject of store.usage.digests(organisation, { ...always, ...query })) found.push(subject)
  return found.map(
    ({ key, rows, days }) =>
      `${key.split('\0').slice(1, 4).join('/')}${rows.map(({ source, bytes }) => ` ${source}:${[...bytes].join('.')}`).join('')}` +
      (days.length === 0 ? '' : ` days:${[...days].join('.')}`),
  )
}
