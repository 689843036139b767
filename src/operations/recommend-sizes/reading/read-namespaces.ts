import { subjectOfKey } from '../../../domain/subject.ts'
import type { Yielder } from '../../../runtime/yielder.ts'
import { PodReader } from '../../../usage/reading/pod-reader.ts'
import type { SizesDeps } from '../deps.ts'
import type { SizesQuery } from '../query.ts'
import { NamespaceReading } from './namespace-reading.ts'
import type { ClusterLoads } from './node-load-cache.ts'

const mostPods = 512

/** One namespace after the other, in order; each is released before the next is read. */
export async function* readNamespaces(
  deps: Pick<SizesDeps, 'store' | 'loads' | 'mostPods'>,
  organisation: string,
  query: Pick<SizesQuery, 'hours' | 'cluster' | 'namespace' | 'after'>,
  yielder: Yielder,
): AsyncGenerator<NamespaceReading> {
  const { hours, cluster, namespace, after } = query
  const source = {
    ...{ store: deps.store, organisation, hours, yielder },
    reader: new PodReader(),
    mostPods: deps.mostPods ?? mostPods,
  }
  let loads: ClusterLoads | undefined
  let reading: NamespaceReading | undefined
  const stored = deps.store.usage.digests(organisation, {
    kind: 'container',
    ...(cluster === undefined ? {} : { cluster }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(after === undefined ? {} : { after: keyBefore(after) }),
    fromHour: hours.from,
    toHour: hours.to,
  })
  for await (const found of stored) {
    const subject = subjectOfKey(found.key)
    if (subject.kind !== 'container') continue
    if (reading?.cluster !== subject.cluster || reading.namespace !== subject.namespace) {
      if (reading?.isEmpty === false) yield reading
      if (reading?.cluster !== subject.cluster)
        loads = await deps.loads.of(organisation, subject.cluster, hours)
      reading = new NamespaceReading(subject, loads!, source)
    }
    reading.add(found, subject)
    if (yielder.isDue) await yielder.pause()
  }
  if (reading?.isEmpty === false) yield reading
}

/**
 * After every key of the namespace, or, where a page ended inside it, before all of them: parts of keys are parted by NUL,
 * which none of them holds.
 */
const keyBefore = ({ cluster, namespace, container }: NonNullable<SizesQuery['after']>): string =>
  `c\0${cluster}\0${namespace}${container === undefined ? '\x01' : '\0'}`
