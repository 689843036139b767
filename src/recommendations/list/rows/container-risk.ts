import type { RecommendationFinding, RecommendationGrade } from '../../../domain/recommendation.ts'
import { kindOfWorkload } from '../../../domain/subject.ts'
import { missingSizes } from '../../../rightsizing/findings.ts'
import type { PricedContainer } from '../../containers/namespace-draft.ts'

/** An hour less than a day and a week, because the first samples seldom come at the beginning of an hour. */
const [dayHours, weekHours] = [24 - 1, 7 * 24 - 1]
const nearPeak = 1.2

/**
 * What could happen. Raises are low. A cut is high with less than a day of history, if it brings a limit within 20% of the
 * highest usage, or if it lowers the memory limit of a database or of a single replica: nobody takes over while it restarts.
 * It is low if nothing observed would have been throttled or killed, in a week of history or more, and if the CPU request of
 * a database stays above what it uses 99% of the time: it waits first when its node is busy.
 */
export function containerRisk(container: PricedContainer): RecommendationGrade {
  const { current, requests, recommended, hoursSinceFirst } = container
  const lowers = (to: number | undefined, from: number | undefined) =>
    to !== undefined && from !== undefined && to < from
  const cutsCpuLimit = lowers(recommended.cpuLimit, current.cpuLimit)
  const cutsMemoryLimit = lowers(recommended.memoryLimit, current.memoryLimit)
  const cutsCpu = cutsCpuLimit || lowers(requests.cpu, current.cpuRequest)
  const cutsMemory = cutsMemoryLimit || lowers(requests.memory, current.memoryRequest)
  if (!cutsCpu && !cutsMemory) return 'low'
  const isNear =
    (cutsCpuLimit && recommended.cpuLimit! < (container.cpu.max / 1e6) * nearPeak) ||
    (cutsMemoryLimit && recommended.memoryLimit! < (container.memory.max / 2 ** 30) * nearPeak)
  const keepsData = isDatabase(container)
  const isAlone = container.replicas.atEnd <= 1 || keepsData
  if (hoursSinceFirst < dayHours || isNear || (cutsMemoryLimit && isAlone)) return 'high'
  const found = new Set(containerFindings(container))
  const suffers =
    (cutsMemory && (found.has('oom-kills') || found.has('leak'))) ||
    (cutsCpu && found.has('throttled')) ||
    found.has('crash-loop') ||
    (keepsData && cutsCpu && requests.cpu! < container.cpu.quantile(0.99) / 1e6)
  return suffers || hoursSinceFirst < weekHours ? 'medium' : 'low'
}

/** A process that keeps data: a workload with stable storage, or a known database by its name. */
const isDatabase = ({ workload, name }: PricedContainer): boolean =>
  kindOfWorkload(workload) === 'StatefulSet' || databases.test(`${workload}/${name}`)

const databases =
  /postgres|pgsql|mysql|mariadb|percona|mongo|redis|valkey|memcached|kafka|zookeeper|rabbitmq|elastic|opensearch|solr|cassandra|scylla|clickhouse|cockroach|influx|etcd|neo4j|minio|prometheus/i

export const containerFindings = (container: PricedContainer): RecommendationFinding[] => {
  const { oomKills, restarts, throttledShare, leaks, hoursSinceFirst } = container
  const crashes = restarts - oomKills
  const missing = missingSizes(container)
  return [
    ...(crashes >= minCrashes && crashes >= (hoursSinceFirst / 24) * crashesPerDay
      ? ['crash-loop' as const]
      : []),
    ...(oomKills > 0 ? ['oom-kills' as const] : []),
    ...(throttledShare > throttledOften ? ['throttled' as const] : []),
    ...(leaks ? ['leak' as const] : []),
    ...(missing.requests.length > 0 ? ['no-requests' as const] : []),
    ...(missing.memoryLimit ? ['no-memory-limit' as const] : []),
  ]
}

/** Restarts that are not OOM kills: more than now and then, and again and again. */
const minCrashes = 5
const crashesPerDay = 3

/** Share of the CPU quota's periods in which the container was throttled. */
const throttledOften = 0.05
