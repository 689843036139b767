import { type ContainerSubject, subjectOfKey } from '../../../domain/subject.ts'
import type { Yielder } from '../../../runtime/yielder.ts'
import { hourlyHours, PodReader } from '../../../usage/reading/pod-reader.ts'
import type { SizesDeps } from '../deps.ts'
import type { SizesQuery } from '../query.ts'
import { NamespaceReading, spansUntilHour } from './namespace-reading.ts'

const mostPods = 512

/** One namespace after the other, in order; each is released before the next is read. */
export async function* readNamespaces(
  deps: Pick<SizesDeps, 'store' | 'loads' | 'mostPods'>,
  organisation: string,
  query: NamespacesQuery,
  yielder: Yielder,
): AsyncGenerator<NamespaceReading> {
  const { hours, namespace } = query
  const source = {
    ...{ store: deps.store, organisation, hours, yielder },
    reader: new PodReader(),
    mostPods: deps.mostPods ?? mostPods,
  }
  for await (const { cluster, after } of clustersOf(deps.store, organisation, query)) {
    const loads = await deps.loads.of(organisation, cluster, hours)
    let reading: NamespaceReading | undefined
    const stored = deps.store.usage.digests(organisation, {
      ...placeOf(cluster, namespace, after),
      ...{ fromHour: hours.from, toHour: hours.to },
      summariesBefore: spansUntilHour(loads, hours) - hourlyHours,
    })
    for await (const found of stored) {
      const subject = subjectOfKey(found.key) as ContainerSubject
      if (reading?.namespace !== subject.namespace) {
        if (reading?.isEmpty === false) yield reading
        reading = new NamespaceReading(subject, loads, source)
      }
      reading.add(found, subject)
      if (yielder.isDue) await yielder.pause()
    }
    if (reading?.isEmpty === false) yield reading
  }
}

type NamespacesQuery = Pick<SizesQuery, 'hours' | 'cluster' | 'namespace' | 'after'>

/** Clusters that the query is about, in order, each with the key after which it is to be read. */
async function* clustersOf(
  { usage }: SizesDeps['store'],
  organisation: string,
  { cluster, namespace, after, hours }: NamespacesQuery,
): AsyncGenerator<{ readonly cluster: string; readonly after: string | undefined }> {
  const window = { fromHour: hours.from, toHour: hours.to }
  let last = after === undefined ? undefined : keyBefore(after)
  for (;;) {
    const key = await usage.firstKey(organisation, { ...placeOf(cluster, undefined, last), ...window })
    if (key === undefined) return
    const found = (subjectOfKey(key) as ContainerSubject).cluster
    const isThere =
      namespace === undefined ||
      (await usage.firstKey(organisation, { ...placeOf(found, namespace, last), ...window })) !== undefined
    if (isThere) yield { cluster: found, after: last }
    if (cluster !== undefined) return
    last = `c\0${found}\x01`
  }
}

const placeOf = (cluster: string | undefined, namespace: string | undefined, after: string | undefined) => ({
  kind: 'container' as const,
  ...(cluster === undefined ? {} : { cluster }),
  ...(namespace === undefined ? {} : { namespace }),
  ...(after === undefined ? {} : { after }),
})

/**
 * After every key of the namespace, or, where a page ended inside it, before all of them: parts of keys are parted by NUL,
 * which none of them holds.
 */
const keyBefore = ({ cluster, namespace, container }: NonNullable<SizesQuery['after']>): string =>
  `c\0${cluster}\0${namespace}${container === undefined ? '\x01' : '\0'}`
