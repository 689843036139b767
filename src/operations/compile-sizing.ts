import { NodeLoadCache } from '../cluster-usage/node-load-cache.ts'
import { baseRates } from '../domain/money.ts'
import { subjectKey } from '../domain/subject.ts'
import { dayHours, hourMs, hourSeconds } from '../domain/time.ts'
import { everyNamespace, type SizesDeps } from '../namespace-sizes/size-namespaces.ts'
import { advisorFor } from '../rightsizing/advisor.ts'
import { summariseDay } from '../usage/day/summarise-day.ts'
import { encodeDigests } from '../usage/digest/codec.ts'
import { type Digest, emptyDigest, setNumber, setText } from '../usage/digest/digest.ts'
import type { DigestQuery, StoredSubject } from '../usage/port.ts'
import { sizesAnswer } from './recommend-sizes/sizes-answer.ts'

const days = 14
/** V8 optimises a function after some thousand calls. With two rounds of this many containers most of that is done. */
const containers = 50
/** Hours since 1970, at the start of a day. */
const firstHour = 20_000 * dayHours

/**
 * Sizes synthetic containers, so that V8 has compiled the code that the first request runs. Otherwise that request
 * takes several times as long as the next ones. Returns the last answer.
 */
export async function compileSizing(signal: AbortSignal): Promise<string> {
  const hours = { from: firstHour, to: firstHour + (days + 1) * dayHours }
  const usage = syntheticUsage()
  let answer = ''
  for (const perHourUsd of [0.2, null]) {
    if (signal.aborted) break
    const now = () => hours.to * hourMs
    const deps: SizesDeps = {
      store: { usage },
      now,
      loads: new NodeLoadCache({ usage: { ...usage, ...noLoads } }, now),
      nodePrices: async () => ({ priceOf: () => ({ ...baseRates, perHourUsd }) }),
      advisor: async () => advisorFor({}, {}),
      rules: async () => [],
    }
    const { pieces } = await sizesAnswer(deps, '', { ...everyNamespace, hours }, 'json', signal)
    answer = (await Array.fromAsync(pieces)).join('')
  }
  return answer
}

/** All containers have the same usage: some closed days, and the hours of the last day. */
function syntheticUsage(): SizesDeps['store']['usage'] {
  const summaries = Array.from({ length: days }, (_, day) => summariseDay(hoursOf(day)))
  const rows = [{ source: 'push', bytes: encodeDigests(hoursOf(days)) }]
  const subjects = Array.from({ length: containers }, (_, index): StoredSubject => {
    const place = { cluster: 'c', namespace: 'n', pod: 'pod', container: `c${index + 100}` }
    return { key: subjectKey({ kind: 'container', ...place }), rows, days: Buffer.concat(summaries) }
  })
  return {
    async *digests() {
      yield* subjects
    },
    entities: async () => [],
    firstKey: async (_, { after = '' }: DigestQuery) => subjects.find(({ key }) => key > after)?.key,
  }
}

const noLoads = {
  nodeLoads: async () => [],
  nodeLoadsChangedAt: async () => 0,
  keepNodeLoads: async () => undefined,
}

const hoursOf = (day: number): Digest[] =>
  Array.from({ length: dayHours }, (_, index) => {
    const hour = firstHour + day * dayHours + index
    const digest = emptyDigest(hour)
    const start = hour * hourSeconds
    for (let sample = 0; sample < samplesPerHour; sample++) {
      const phase = (hour * samplesPerHour + sample) * 0.7
      digest.cpu.add(Math.round(300_000 * (1.2 + Math.sin(phase))), hourSeconds / samplesPerHour)
      digest.memory.add(Math.round(2 ** 29 * (1.2 + Math.sin(phase / 24) / 4)))
    }
    digest.samples = 2 * samplesPerHour
    digest.firstAt = start
    digest.lastAt = start + hourSeconds - 300
    setNumber(digest, 'cpuRequestMicrocores', 1_000_000, start)
    setNumber(digest, 'memoryRequestBytes', 2 ** 31, start)
    setText(digest, 'node', 'node', start)
    setText(digest, 'workload', 'Deployment/web', start)
    return digest
  })

const samplesPerHour = 12
