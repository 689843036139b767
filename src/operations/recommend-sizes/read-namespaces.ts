import { subjectOfKey } from '../../domain/subject.ts'
import { Breath } from './breath.ts'
import type { SizesDeps } from './deps.ts'
import type { ClusterLoads } from './load-book.ts'
import type { PodUsage } from './pod-usage.ts'
import type { Place, SizesQuery } from './query.ts'
import { readPod } from './read-pod.ts'

/** What ran in a namespace, and what its cluster's nodes bore. */
export interface NamespaceUsage extends Place {
  readonly pods: readonly PodUsage[]
  readonly cluster: string
  readonly loads: ClusterLoads
  readonly latestHour: number
}

/** One namespace after the other, in order; each is let go before the next is read. */
export async function* readNamespaces(
  deps: Pick<SizesDeps, 'store' | 'loads'>,
  organisation: string,
  query: Pick<SizesQuery, 'hours' | 'cluster' | 'namespace' | 'after'>,
): AsyncIterable<NamespaceUsage> {
  const { hours, cluster, namespace, after } = query
  const breath = new Breath()
  let loads: ClusterLoads | undefined
  let place: Place | undefined
  let pods: PodUsage[] = []
  const latestHour = () => Math.min(hours.to, Math.floor(loads!.endAt / 3600) + 1)
  const stored = deps.store.usage.digests(organisation, {
    kind: 'container',
    ...(cluster === undefined ? {} : { cluster }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(after === undefined ? {} : { after: lastKeyOf(after) }),
    fromHour: hours.from,
    toHour: hours.to,
  })
  for await (const { key, rows } of stored) {
    const subject = subjectOfKey(key)
    if (subject.kind !== 'container') continue
    if (place?.cluster !== subject.cluster || place.namespace !== subject.namespace) {
      if (pods.length > 0) yield { ...place!, pods, loads: loads!, latestHour: latestHour() }
      pods = []
      if (place?.cluster !== subject.cluster)
        loads = await deps.loads.of(organisation, subject.cluster, hours)
      place = { cluster: subject.cluster, namespace: subject.namespace }
    }
    const pod = readPod(subject, rows, hours, latestHour())
    if (pod !== undefined) pods.push(pod)
    if (breath.due) await breath.take()
  }
  if (pods.length > 0) yield { ...place!, pods, loads: loads!, latestHour: latestHour() }
}

/** After every key of the namespace: parts of keys are parted by NUL, which none of them holds. */
const lastKeyOf = ({ cluster, namespace }: Place): string => `c\0${cluster}\0${namespace}\x01`
