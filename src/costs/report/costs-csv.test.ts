import fc from 'fast-check'
import { expect, test } from 'vitest'
import { round } from '../../domain/money.ts'
import { firstHour, podOf } from '../../usage/reading/pods.case.ts'
import { addIdle, CostColumns } from '../allocation/cost-columns.ts'
import { CostGroups } from '../allocation/cost-groups.ts'
import { groupKinds, parseGroupBy } from '../allocation/grouping.ts'
import { anyPodSizes, at, gpuPrice } from '../allocation/node-price.case.ts'
import { NodeLoads } from '../allocation/nodes.ts'
import { roundToTotal } from '../allocation/round-to-total.ts'
import { addLoads, allocateSpend, currentRequests, usdOf } from '../allocation/spend.ts'
import { type StepName, TimeSteps } from '../allocation/time-steps.ts'
import { viewCostRow } from '../allocation/view-cost-row.ts'
import { costsCsv } from './costs-csv.ts'

const hours = { from: firstHour, to: firstHour + 100 }
const endAt = hours.to * 3600 - 60
const prices = at(gpuPrice)

const anyPod = fc.record({
  ...anyPodSizes,
  cluster: fc.constantFrom('c', 'd'),
  namespace: fc.constantFrom('shop', 'till'),
  workload: fc.constantFrom('Deployment/web', 'StatefulSet/db'),
  node: fc.constantFrom('n1', 'n2', null),
  from: fc.integer({ min: firstHour, max: firstHour + 80 }),
  hours: fc.integer({ min: 1, max: 20 }),
  seconds: fc.constantFrom(600, 3600),
})

/** Ran on a machine of its own outside clusters; requests do not count there. */
const anyProcess = fc.record({
  name: fc.constantFrom('system/postgres', 'system/nginx'),
  vm: fc.constantFrom('db-1', 'db-2'),
  from: fc.integer({ min: firstHour, max: firstHour + 80 }),
  hours: fc.integer({ min: 1, max: 20 }),
  cores: fc.double({ min: 0, max: 6, noNaN: true }),
})

const anyVolume = fc.record({
  cluster: fc.constantFrom('c', 'd'),
  namespace: fc.constantFrom('shop', 'till'),
  units: fc.double({ min: 0, max: 1000, noNaN: true }),
  from: fc.integer({ min: firstHour, max: firstHour + 80 }),
})

test('in any grouping, rows and cents add up to what clusters, machines and volumes cost', () => {
  const grouping = fc.constantFrom(...groupKinds, 'label:team', 'node,kind', 'cluster,namespace,label:team')
  const step = fc.constantFrom<StepName>('hour', 'day', 'week')
  const anyBill = fc.record({
    pods: fc.array(anyPod, { minLength: 1, maxLength: 6 }),
    processes: fc.array(anyProcess, { maxLength: 4 }),
    volumes: fc.array(anyVolume, { maxLength: 3 }),
  })
  fc.assert(
    fc.property(anyBill, grouping, step, ({ pods, processes, volumes }, groupBy, name) => {
      const query = {
        keys: parseGroupBy(groupBy)!,
        namespace: undefined,
        hours,
        steps: new TimeSteps(hours, name),
      }
      const groups = new CostGroups(query, prices, undefined)
      let totalUsd = 0
      for (const [cluster, own] of Map.groupBy(pods, (pod) => pod.cluster)) {
        const used = own.map((pod) => ({ ...podOf(pod, hours), workload: pod.workload }))
        const loads = new NodeLoads()
        for (const { use } of used) addLoads(loads, use)
        for (const { subject, workload, use } of used) groups.add(subject, workload, use, loads)
        groups.addIdle(cluster, loads, endAt)
        totalUsd += usdOf(allocateSpend(used, currentRequests, prices, (node) => loads.columnsOf(node)))
        const idle = new CostColumns(10)
        for (const [, load] of loads.entries())
          addIdle(idle, load, gpuPrice, new TimeSteps(hours, 'week'), hours, endAt)
        totalUsd += idle.idleUsd.reduce((sum, usd) => sum + usd, 0)
      }
      for (const [vm, own] of Map.groupBy(processes, (process) => process.vm)) {
        const ran = own.map(({ name: process, ...of }) => ({
          process,
          use: podOf({ ...of, node: vm, cpuRequest: 0, memoryRequest: 0 }, hours).use,
        }))
        const loads = new NodeLoads()
        for (const { use } of ran) addLoads(loads, use)
        for (const { process, use } of ran)
          groups.add({ ...noPlace, container: process }, `Machine/${vm}`, use, loads)
        groups.addIdle('', loads, endAt)
        // A machine costs its price in every hour in which anything ran on it.
        const measured = new Set(ran.flatMap(({ use }) => [...use.hours.subarray(0, use.length)]))
        const isUsed = (hour: number) => loads.at(vm, hour).cores > 0 || loads.at(vm, hour).gib > 0
        totalUsd += [...measured].filter(isUsed).length * (gpuPrice.perHourUsd ?? 0)
      }
      for (const { units, from, ...place } of volumes) {
        const charge = { units, unitPerHourUsd: 0.0001, priceKind: 'gp3', hours: { from, to: from + 20 } }
        const volume = { ...place, node: undefined, workload: 'PersistentVolumeClaim/data' }
        groups.addCharge({ ...charge, place: volume })
        totalUsd += units * 0.0001 * 20
      }
      const views = groups
        .rows()
        .map((row) => viewCostRow(row, query))
        .toArray()
      const sum = views.reduce((all, { cost_usd }) => all + cost_usd, 0)
      expect(Math.abs(sum - totalUsd)).toBeLessThan((views.length + 1) * 1e-6)
      const [head, ...lines] = [...costsCsv(views, query)].map((line) => line.trimEnd().split(','))
      const cents = (name: string) =>
        lines.map((cells) => Math.round(100 * Number(cells[head!.indexOf(name)])))
      const all = cents('cost_usd')
      expect(all.reduce((total, each) => total + each, 0)).toBe(Math.round(round(sum, 2) * 100))
      const parts = ['cpu_cost_usd', 'memory_cost_usd', 'gpu_cost_usd', 'other_cost_usd'].map(cents)
      for (const [index, view] of views.entries()) {
        expect(Math.abs(all[index]! / 100 - view.cost_usd)).toBeLessThan(0.010001)
        if (view.cost_type === 'usage')
          expect(parts.reduce((total, of) => total + of[index]!, 0)).toBe(all[index])
      }
    }),
  )
})

const noPlace = { cluster: '', namespace: '', pod: '' }

test.each([
  [
    [1 / 3, 1 / 3, 1 / 3],
    [0.34, 0.33, 0.33],
  ],
  [
    [0.333, 0.333, 0.334],
    [0.33, 0.33, 0.34],
  ],
  [
    [0.004, 0.004],
    [0.01, 0],
  ],
  [
    [1.004, 2],
    [1, 2],
  ],
  [[], []],
])('%j is rounded to %j', (amounts, cents) => {
  expect(roundToTotal(amounts)).toEqual(cents)
})
