import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SeenByHour } from '../allocation/hour-columns.ts'
import { NodeLoads } from '../allocation/nodes.ts'
import { addLoadDay, encodeLoadDay } from './node-load-codec.ts'

const firstDay = 20_000
const firstHour = firstDay * 24
const days = 3

const load = fc.record({
  node: fc.constantFrom('n1', 'n2', 'ein Knoten', ''),
  hour: fc.nat({ max: days * 24 - 1 }),
  cores: fc.double({ min: 0, max: 1e6, noNaN: true }),
  gib: fc.double({ min: 0, max: 1e6, noNaN: true }),
  gpus: fc.constantFrom(0, 0, 0, 0.5, 8),
  end: fc.nat({ max: 3600 }),
  left: fc.nat({ max: 3600 }),
})

test('the days of a window add up to the window', () => {
  fc.assert(
    fc.property(fc.array(load, { maxLength: 40 }), (all) => {
      const whole = { loads: new NodeLoads(), ends: new SeenByHour() }
      for (const { node, hour, cores, gib, gpus, end, left } of all) {
        const columns = whole.loads.from(node, firstHour + hour)
        columns.add(firstHour + hour, cores, gib)
        if (gpus > 0) columns.addGpus(firstHour + hour, gpus)
        columns.extend(firstHour + hour, left, end)
        whole.ends.extend(firstHour + hour, left, end)
      }
      const read = { loads: new NodeLoads(), ends: new SeenByHour() }
      for (let day = firstDay; day < firstDay + days; day++)
        expect(addLoadDay(read, day, encodeLoadDay(whole, day))).toBe(true)
      for (let hour = firstHour - 1; hour <= firstHour + days * 24; hour++) {
        expect(read.ends.endOf(hour)).toBe(whole.ends.endOf(hour))
        expect(read.ends.secondsLeftIn(hour)).toBe(whole.ends.secondsLeftIn(hour))
        for (const node of ['n1', 'n2', 'ein Knoten', ''])
          expect(loadAt(read.loads, node, hour)).toEqual(loadAt(whole.loads, node, hour))
      }
    }),
  )
})

function loadAt(loads: NodeLoads, node: string, hour: number) {
  const columns = loads.columnsOf(node)
  if (columns === undefined || hour < columns.first || hour >= columns.end) return undefined
  const index = hour - columns.first
  return [loads.at(node, hour), columns.gpusAt(index), columns.secondsLeft[index], columns.lasts[index]]
}

test('a day written by another version is ignored', () => {
  const into = { loads: new NodeLoads(), ends: new SeenByHour() }
  expect(addLoadDay(into, firstDay, Uint8Array.of(1, 1, 1))).toBe(false)
  expect([...into.loads.entries()]).toEqual([])
})
