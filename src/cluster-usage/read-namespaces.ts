import { type ContainerSubject, type NamespaceRef, subjectOfKey } from '../domain/subject.ts'
import type { Yielder } from '../runtime/yielder.ts'
import type { UsageStore } from '../usage/port.ts'
import { hourlyHours, PodReader } from '../usage/reading/pod-reader.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import { NamespaceReading, spansUntilHour } from './namespace-reading.ts'
import type { NodeLoadCache } from './node-load-cache.ts'

const mostPods = 512

/** One namespace after the other, in order; each is released before the next is read. */
export async function* readNamespaces(
  deps: NamespacesDeps,
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

interface NamespacesDeps {
  readonly store: { readonly usage: Pick<UsageStore, 'digests' | 'firstKey'> }
  readonly loads: NodeLoadCache
  /** How many pods of a namespace are held at once; unless given, as many as fit in some megabytes. */
  readonly mostPods?: number
}

interface NamespacesQuery {
  readonly hours: HourRange
  readonly cluster: string | undefined
  readonly namespace: string | undefined
  readonly after: PageEnd | undefined
}

/** Where a page ended: with a whole namespace, or with the container of this key. */
export interface PageEnd extends NamespaceRef {
  readonly container?: string
}

/** Clusters that the query is about, in order, each with the key after which it is to be read. */
async function* clustersOf(
  { usage }: NamespacesDeps['store'],
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
const keyBefore = ({ cluster, namespace, container }: PageEnd): string =>
  `c\0${cluster}\0${namespace}${container === undefined ? '\x01' : '\0'}`
