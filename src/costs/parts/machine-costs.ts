import { type ProcessSubject, subjectOfKey } from '../../domain/subject.ts'
import { hourSeconds } from '../../domain/time.ts'
import type { Yielder } from '../../runtime/yielder.ts'
import type { UsageStore } from '../../usage/port.ts'
import { HourlyUse, noSetting } from '../../usage/reading/hourly-use.ts'
import { PodReader } from '../../usage/reading/pod-reader.ts'
import { machineKind } from '../allocation/grouping.ts'
import { SeenByHour } from '../allocation/hour-columns.ts'
import { NodeLoads } from '../allocation/nodes.ts'
import { addLoads } from '../allocation/spend.ts'
import type { CostPart, CostPartQuery, CostsSink } from './cost-part.ts'

/** Machines: each process costs what it used, at the price of the machine, and the rest of its price is idle. */
export const machineCosts = (store: MachineStore): CostPart => ({
  name: 'machines',
  async collect(organisation, query, sink, yielder) {
    if (query.cluster !== undefined || query.namespace !== undefined) return
    let measured = { from: Number.POSITIVE_INFINITY, to: 0 }
    for await (const machine of readMachines(store, organisation, query, yielder)) {
      const { from, to } = addMachine(sink, machine, query)
      measured = { from: Math.min(measured.from, from), to: Math.max(measured.to, to) }
    }
    if (measured.from < measured.to) sink.addMeasured('', measured)
  },
})

/** The store is read each time, because it is not open from the start. */
type MachineStore = { readonly usage: Pick<UsageStore, 'digests'> }

interface MachineUse {
  readonly vm: string
  readonly processes: readonly { readonly name: string; readonly use: HourlyUse }[]
}

/** Yields one machine after the other, with all its processes, because they share its price. */
async function* readMachines(
  { usage }: MachineStore,
  organisation: string,
  { hours }: CostPartQuery,
  yielder: Yielder,
): AsyncGenerator<MachineUse> {
  const reader = new PodReader()
  const query = { fromHour: hours.from, toHour: hours.to, summariesBefore: hours.to }
  let [vm, processes]: [string, { name: string; use: HourlyUse }[]] = ['', []]
  for await (const stored of usage.digests(organisation, { kind: 'process', ...query })) {
    const subject = subjectOfKey(stored.key) as ProcessSubject
    if (subject.vm !== vm) {
      if (processes.length > 0) yield { vm, processes }
      vm = subject.vm
      processes = []
    }
    const read = reader.readHourlyUse(stored, hours)
    if (read !== undefined)
      processes.push({ name: `${subject.group}/${subject.process}`, use: onMachine(read, vm) })
    if (yielder.isDue) await yielder.pause()
  }
  if (processes.length > 0) yield { vm, processes }
}

/** A copy, because the reader reuses its columns. */
function onMachine(use: HourlyUse, node: string): HourlyUse {
  const { length, hours, seconds, lasts, cores, gib } = use
  const columns = {
    length,
    hours: hours.slice(0, length),
    seconds: seconds.slice(0, length),
    lasts: lasts.slice(0, length),
    cores: cores.slice(0, length),
    gib: gib.slice(0, length),
  }
  return new HourlyUse(columns, [{ from: 0, setting: { ...noSetting, node } }])
}

function addMachine(sink: CostsSink, { vm, processes }: MachineUse, { hours }: CostPartQuery) {
  const [loads, seen] = [new NodeLoads(), new SeenByHour()]
  for (const { use } of processes) {
    addLoads(loads, use)
    seen.add(use)
  }
  const workload = `${machineKind}/${vm}`
  for (const { name, use } of processes)
    sink.add({ cluster: '', namespace: '', pod: '', container: name }, workload, use, loads)
  const endAt = seen.lastIn(hours.from, hours.to)
  sink.addIdle('', loads, endAt)
  return { from: seen.startIn(hours.from, hours.to), to: endAt / hourSeconds }
}
