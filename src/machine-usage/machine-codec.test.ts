import fc from 'fast-check'
import { expect, test } from 'vitest'
import { subjectKey } from '../domain/subject.ts'
import type { SizedMachine, SizedProcess } from './machine.ts'
import { decodeMachine, encodeMachine } from './machine-codec.ts'

const amount = fc.record({ cores: fc.double(), gib: fc.double() }, { noNullPrototype: true })
const text = fc.string({ unit: 'binary' }).map((found) => found.replaceAll('\0', ''))
const process = fc
  .record(
    {
      subject: fc.record(
        { kind: fc.constant('process' as const), vm: text, group: text, process: text, cgroup: text },
        { noNullPrototype: true },
      ),
      baseline: amount,
      current: amount,
      recommended: amount,
      lower: amount,
      upper: amount,
      mean: amount,
      expected: amount,
    },
    { noNullPrototype: true },
  )
  .map((made): SizedProcess => ({ key: subjectKey(made.subject), ...made }))
const machine: fc.Arbitrary<SizedMachine> = fc.record(
  {
    vm: text,
    processes: fc.array(process),
    measuredHours: fc.double(),
    busyCores: fc.double(),
    createdAt: fc.nat(),
  },
  { noNullPrototype: true },
)

test('a decoded machine equals the encoded one', () => {
  fc.assert(
    fc.property(machine, (made) => {
      expect(decodeMachine(encodeMachine(made))).toEqual(made)
    }),
  )
})

test('bytes that do not encode a machine are refused', () => {
  expect(() => decodeMachine(Uint8Array.of(1, 2, 3))).toThrow()
})
