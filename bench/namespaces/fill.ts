import { subjectKey } from '../../src/domain/subject.ts'
import { hourSeconds } from '../../src/domain/time.ts'
import { summariseDay } from '../../src/usage/day/summarise-day.ts'
import { encodeDigests } from '../../src/usage/digest/codec.ts'
import { emptyDigest, setNumber, setText } from '../../src/usage/digest/digest.ts'
import { encodeEntity, entityKey, newEntity, setAttribute } from '../../src/usage/digest/entities.ts'
import type { CompactDay, SubjectRow, UsageStore } from '../../src/usage/port.ts'
import { loadTraces, samplesPerDay } from '../usage/traces.ts'

export const days = 30
export const organisation = 'bench'
/** Hours since 1970, at the start of a day. */
export const firstHour = 20_750 * 24
const defaults: FillOptions = { days, firstHour }

const perNode = 30
const batch = 250

export interface FillOptions {
  readonly days: number
  /** Hours since 1970, at the start of a day. */
  readonly firstHour: number
}

/**
 * Writes containers with real usage, one pod each, spread over namespaces and nodes, in the form that compaction
 * leaves: one row per day.
 */
export async function fillNamespaces(
  usage: UsageStore,
  containers: number,
  perNamespace: number,
  { days, firstHour }: FillOptions = defaults,
): Promise<void> {
  const [trace] = loadTraces()
  const { series, days: known } = trace!
  const partition = { organisation, source: 'push' }
  const { epoch } = await usage.open(partition)
  const rest = { consumed: [], forgotten: [], resume: '' }
  const packs: Pack[] = []
  const nodes = Array.from({ length: Math.ceil(containers / perNode) }, (_, index) => {
    const entity = newEntity(
      { kind: 'node', cluster: 'bench', namespace: '', name: nodeOf(index * perNode) },
      firstHour,
    )
    const at = (firstHour + days * 24 - 1) * hourSeconds
    setAttribute(entity, 'capacity/cpu', 64, at)
    setAttribute(entity, 'capacity/memory', 256 * 2 ** 30, at)
    return {
      key: entityKey(entity.ref),
      kind: 'node',
      cluster: 'bench',
      lastHour: entity.lastHour,
      json: encodeEntity(entity),
    } as const
  })
  await usage.commit(partition, epoch, { ...rest, subjects: [], entities: nodes })
  for (let first = 0; first < containers; first += batch) {
    const members = Array.from({ length: Math.min(batch, containers - first) }, (_, index) => first + index)
    const subjects = members.map((member): SubjectRow => {
      const subject = {
        kind: 'container',
        cluster: 'bench',
        namespace: `ns-${String(Math.floor(member / perNamespace)).padStart(4, '0')}`,
        pod: `web-${member}`,
        container: 'app',
      } as const
      return { key: subjectKey(subject), subject, state: new Uint8Array(), digests: [] }
    })
    await usage.commit(partition, epoch, { ...rest, subjects, entities: [] })
    await usage.compact(
      partition,
      epoch,
      members.flatMap((member, index) =>
        Array.from({ length: days }, (_, day) => ({
          key: subjects[index]!.key,
          day: firstHour / 24 + day,
          ...dayPack(member, day),
        })),
      ),
    )
  }

  function dayPack(member: number, day: number): Pack {
    const of = (member % series) * days + day
    packs[of] ??= packOf(member % series, day)
    // Copies the pack and replaces names by others of the same length.
    const named = (pack: Uint8Array): Uint8Array => {
      const bytes = Buffer.from(pack)
      bytes.write(nodeOf(member), bytes.indexOf(nodeOf(0)), 'latin1')
      bytes.write(workloadOf(member), bytes.indexOf(workloadOf(0)), 'latin1')
      return bytes
    }
    return { bytes: named(packs[of].bytes), summary: named(packs[of].summary) }
  }

  function packOf(of: number, day: number): Pack {
    const from = (of * known + (day % known)) * samplesPerDay
    const perHour = samplesPerDay / 24
    const digests = Array.from({ length: 24 }, (_, hour) => {
      const digest = emptyDigest(firstHour + day * 24 + hour)
      const start = digest.hour * hourSeconds
      for (let index = 0; index < perHour; index++) {
        const at = from + hour * perHour + index
        digest.cpu.add(Math.round((trace!.cpuCores[at] || 0) * 1e6), 300)
        digest.memory.add(Math.round((trace!.memoryGib![at] || 0) * 2 ** 30))
      }
      digest.samples = perHour * 2
      digest.firstAt = start
      digest.lastAt = start + 3300
      setNumber(digest, 'cpuRequestMicrocores', 1_000_000, start)
      setNumber(digest, 'memoryRequestBytes', 2 ** 31, start)
      setText(digest, 'node', nodeOf(0), start)
      setText(digest, 'workload', workloadOf(0), start)
      return digest
    })
    return { bytes: encodeDigests(digests), summary: summariseDay(digests) }
  }
}

type Pack = Pick<CompactDay, 'bytes' | 'summary'>

const nodeOf = (member: number): string => `node-${String(Math.floor(member / perNode)).padStart(5, '0')}`
const workloadOf = (member: number): string => `Deployment/web-${String(member).padStart(6, '0')}`
