import { readNamespaces } from '../costs/clusters/read-namespaces.ts'
import { type NamespaceRef, subjectOfKey } from '../domain/subject.ts'
import { dayHours, daySeconds, hourMs, lastDayOver } from '../domain/time.ts'
import { Yielder } from '../runtime/yielder.ts'
import { decisionShard, placePrefix } from '../store/decision-row.ts'
import type { Leases, ModelStore } from '../store/port.ts'
import type { DecisionPlace } from '../store/port-decisions.ts'
import { withLease } from '../store/with-lease.ts'
import { type DecidingDeps, decideNamespace, withoutLoads } from './decide-namespace.ts'
import { DecisionFinder, type FindingDeps } from './find-decisions.ts'
import { ModelCache } from './model/model-cache.ts'
import { decideMachine, newProcessAdvisor } from './processes/decide-machine.ts'

export interface DecidingDayDeps extends FindingDeps {
  readonly store: FindingDeps['store'] & { readonly leases: Leases }
}

/**
 * Decides the sizes of an organisation: for the last day that is over, and for the current one where something happened that
 * cannot wait. The instances of the service share namespaces and machines by shards, each with a lease. What is decided is skipped, so
 * that a call continues what another one left. Returns the number of namespaces and machines whose day was decided.
 */
export async function decideSizes(
  deps: DecidingDayDeps,
  organisation: string,
  signal: AbortSignal,
): Promise<number> {
  const yielder = new Yielder(signal)
  const day = lastDayOver(deps.now())
  let decided = 0
  for (const [shard, places] of inAnyOrder(await placesByShard(deps, organisation))) {
    const lease = `decisions/${encodeURIComponent(organisation)}#${shard}`
    await withLease(deps.store.leases, lease, { ttlMs: leaseMs }, async () => {
      for (const place of places) {
        if (await decideDay(deps, organisation, place, day, yielder)) decided++
        if (place.kind === 'container') await decideChanges(deps, organisation, place, yielder)
        signal.throwIfAborted()
      }
    })
  }
  return decided
}

/** The same with the dependencies of a process that only has the store, such as a thread or an import that has ended. */
export function decideFromStore(
  store: DecidingDayDeps['store'] & { readonly models: Pick<ModelStore, 'trainedAt' | 'read'> },
  organisation: string,
  nowMs: number,
  signal: AbortSignal,
): Promise<number> {
  const now = () => nowMs
  const models = new ModelCache(store, now)
  return decideSizes({ store, now, modelOf: (name) => models.versionOf(name) }, organisation, signal)
}

/** An instance that dies holds its shards for this long. */
const leaseMs = 60_000
async function decideDay(
  deps: DecidingDayDeps,
  organisation: string,
  place: DecisionPlace,
  day: number,
  yielder: Yielder,
): Promise<boolean> {
  const { decisions } = deps.store
  if ((await decisions.read(organisation, place, [wholePlace], { from: day, to: day + 1 })).length > 0)
    return false
  if (place.kind === 'process') {
    const processes = { ...deps, adviseProcess: newProcessAdvisor() }
    await decideMachine(processes, organisation, place.vm, { day, late: false }, yielder)
    return true
  }
  await decideNamespace(deps, organisation, place, {
    moment: { day, hour: (day + 1) * dayHours, late: false },
    model: await deps.modelOf(organisation),
    yielder,
    // The last decision about a container that has gone stays in force.
    select: async (containers) => containers.filter(({ sums }) => sums.lastAt >= day * daySeconds),
  })
  await decisions.write(organisation, place, [{ name: wholePlace, day, bytes: new Uint8Array() }])
  return true
}

/** The name of the row that says that all of a place was decided on a day. */
const wholePlace = ''

/** Reads the last hours only. What was decided is compared with them, and decided again if it does not hold. */
async function decideChanges(
  deps: DecidingDayDeps,
  organisation: string,
  namespace: NamespaceRef,
  yielder: Yielder,
): Promise<void> {
  const to = Math.floor(deps.now() / hourMs) + 1
  const hours = { from: to - dayHours, to }
  const finder = new DecisionFinder(deps, organisation, hours, yielder, { isAsked: false })
  const query = { ...namespace, hours, after: undefined }
  for await (const reading of readNamespaces(withoutLoads(deps), organisation, query, yielder))
    for await (const containers of reading.batches()) await finder.find(reading, containers)
}

async function placesByShard({ store }: DecidingDeps, organisation: string) {
  const shards = new Map<number, DecisionPlace[]>()
  for (const kind of ['container', 'process'] as const)
    for (let after = ''; ; ) {
      const key = await store.usage.firstKey(organisation, {
        kind,
        fromHour: 0,
        toHour: Number.MAX_SAFE_INTEGER,
        ...(after === '' ? {} : { after }),
      })
      if (key === undefined) break
      const place = placeOf(key)
      shards.getOrInsertComputed(decisionShard(organisation, place), () => []).push(place)
      after = `${placePrefix(place).slice(0, -1)}\x01`
    }
  return shards
}

function placeOf(key: string): DecisionPlace {
  const subject = subjectOfKey(key)
  if (subject.kind === 'process') return { kind: 'process', vm: subject.vm }
  return { kind: 'container', cluster: subject.cluster, namespace: subject.namespace }
}

/** Instances that begin at the same time begin with different shards. */
const inAnyOrder = <Item>(items: Iterable<Item>): Item[] =>
  [...items]
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
