import { contentTypes, encodeRequest, type SeriesToWrite } from '../../src/ingest/remote-write/encode.case.ts'
import { compress } from '../../src/ingest/remote-write/snappy.ts'
import type { Generation } from './generate-json.ts'
import { hostileText } from './hostile-values.ts'
import { spoilBytes } from './mutate-request.ts'
import type { Operation } from './operations.ts'
import type { Random } from './random.ts'
import { type FuzzRequest, percentEncode } from './request.ts'

const metrics = [
  'container_cpu_usage_seconds_total',
  'container_memory_working_set_bytes',
  'kube_pod_container_resource_requests',
  'kube_pod_owner',
  'kube_node_status_capacity',
  'cheapside_process_cpu_seconds_total',
  'cheapside_process_memory_bytes',
  'namedprocess_namegroup_cpu_seconds_total',
  'up',
]
const names = [
  'namespace',
  'pod',
  'container',
  'cluster',
  'node',
  'vm',
  'process',
  'group',
  'cgroup',
  'resource',
  'unit',
]

const collectedPath = '/v1/collected_usage'
/** Operations whose bodies are remote write requests. */
export const remoteWritePaths = new Set(['/api/v1/write', collectedPath])

/** A push of a few series: valid, with odd labels and values, or with bytes changed before or after compression. */
export function remoteWriteRequest(operation: Operation, caller: string, how: Generation): FuzzRequest {
  const { mode, random } = how
  const format = random.pick(['remote-write-1', 'remote-write-2'] as const)
  const series = Array.from({ length: 1 + random.below(4) }, () => seriesOf(how))
  const body = Buffer.from(encodeRequest(series, format))
  return {
    method: operation.method,
    path: operation.path,
    query: operation.path === collectedPath ? collectedQuery(how) : clusterQuery(how, 0.2),
    headers: [
      ['content-type', contentTypes[format]],
      ['content-encoding', 'snappy'],
    ],
    body: { bytes: mode === 'confused' ? broken(body, random) : body },
    caller,
    operation,
  }
}

const clusterQuery = (how: Generation, share: number): FuzzRequest['query'] =>
  how.random.chance(share) ? [['cluster', percentEncode(clusterOf(how).slice(0, 300))]] : []

function collectedQuery(how: Generation): FuzzRequest['query'] {
  const { mode, random } = how
  const engine = mode === 'hostile' ? hostileText(random).slice(0, 300) : 'prometheus:9090'
  const hoursAgo = random.pick([0, 1, 24, 24 * 30, 24 * 4000, -24])
  const until = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
  const more = [
    ['engine', percentEncode(engine)],
    ['until', percentEncode(random.chance(0.9) ? until : hostileText(random).slice(0, 100))],
    ['complete', random.pick(['true', 'false', 'yes'])],
  ] as const
  return [...clusterQuery(how, 0.95), ...more.filter(() => random.chance(0.9))]
}

const clusterOf = ({ mode, random, known }: Generation): string =>
  mode === 'hostile' ? hostileText(random) : random.pick(known.lists.cluster ?? ['c1'])

function seriesOf(how: Generation): SeriesToWrite {
  const { mode, random } = how
  const isHostile = mode === 'hostile'
  const text = () =>
    isHostile && random.chance(0.2)
      ? hostileText(random)
      : `${random.pick(['web', 'db', 'x'])}-${random.below(20)}`
  const labels: [string, string][] = [['__name__', random.pick(metrics)]]
  for (const name of names) if (random.chance(0.7)) labels.push([name, text()])
  if (isHostile && random.chance(0.2)) labels.push([hostileText(random).slice(0, 5_000), text()])
  const sorted = isHostile && random.chance(0.1) ? labels : labels.sort(([a], [b]) => (a < b ? -1 : 1))
  const now = Date.now()
  const times = [now, now - 60_000, now - 3_600_000, now - 86_400_000]
  const oddTimes = [0, 1, now + 3_600_000, now - 72 * 3_600_000, 2 ** 53, 2 ** 62]
  const values = [0, 1, 12.5, 1e9]
  const oddValues = [Number.NaN, Number.POSITIVE_INFINITY, -1, 1e308, 5e-324, -0, 'stale'] as const
  return {
    labels: sorted,
    samples: Array.from({ length: random.below(5) }, () => ({
      timeMs: random.pick(mode === 'valid' || random.chance(0.6) ? times : oddTimes),
      value: random.pick(mode === 'valid' || random.chance(0.6) ? values : oddValues),
    })),
    ...(random.chance(0.1) ? { histograms: 1 } : {}),
    ...(random.chance(0.1) ? { exemplars: 2 } : {}),
  }
}

/** Corrupt bodies: changed bytes, unusual fields, or random bytes, compressed or not. */
function broken(body: Buffer, random: Random): Buffer {
  const kind = random.below(6)
  if (kind === 0) return Buffer.from(compress(noise(random)))
  if (kind === 1) return noise(random)
  if (kind === 2) return Buffer.from(compress(wireOddities(random)))
  return spoilBytes(body, random)
}

const noise = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: random.below(300) }, () => random.below(256)))

/** Fields that protobuf allows or nearly allows: overlong varints, unknown fields, groups, empty and huge lengths. */
function wireOddities(random: Random): Buffer {
  const pieces: number[][] = [
    [0x0a, 0x00],
    [0x8a, 0x00, 0x00],
    [0x0a, 0x04, 0x0a, 0x02, 0x0a, 0x00],
    [0x0a, 0x80, 0x80, 0x80, 0x80, 0x10],
    [0x0b, 0x0c],
    [0x78, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    [0x22, 0x00],
    [0x2a, 0x00],
    [0x2a, 0x04, 0x0a, 0x02, 0x01, 0x7f],
    [0x12, 0x02, 0x08, 0x01],
    [0x0d, 1, 2, 3, 4],
    [0x09, 1, 2, 3, 4, 5, 6, 7, 8],
    [0x00],
    [0xff],
  ]
  return Buffer.from(Array.from({ length: 1 + random.below(40) }, () => random.pick(pieces)).flat())
}
