import { describe, expect, test } from 'vitest'
import { MachineDictionary, Machines, type OfferMachine } from './machines.ts'

const machine: OfferMachine = {
  service: 'compute',
  vcpus: 4,
  ramGib: 16,
  architecture: 'x86_64',
  gpuCount: 1,
  gpuName: 'T4',
  monthlyCapUsd: 50,
  burstableBaseline: 0.1,
  family: 'g',
}

describe('machines that differ in anything are not the same', () => {
  const other: OfferMachine = {
    service: 'other',
    vcpus: 8,
    ramGib: null,
    architecture: 'arm64',
    gpuCount: 2,
    gpuName: 'H100',
    monthlyCapUsd: null,
    burstableBaseline: 0.2,
    family: 'm',
  }
  test.each(Object.keys(machine) as (keyof OfferMachine)[])('%s', (name) => {
    const machines = new MachineDictionary()
    const changed = { ...machine, [name]: other[name] }
    // Equal machines one after the other, and again later.
    const ids = [machine, changed, { ...changed }, machine, { ...machine }].map((one) => machines.id(one))
    expect(ids).toEqual([0, 1, 1, 0, 0])
    expect(machines.values).toEqual([machine, changed])
  })
})

test('columns return what was put in, and text ids follow the order of the texts', () => {
  const plain = {
    ...machine,
    service: 'a',
    gpuCount: 0,
    gpuName: '',
    monthlyCapUsd: null,
    burstableBaseline: null,
  }
  const unsized = { ...plain, vcpus: null, family: 'a' }
  const renamed = { ...machine, gpuName: 't4', architecture: 'arm64' as const }
  const machines = new Machines([machine, plain, unsized, renamed, { ...machine, gpuName: 'A100' }])
  expect(machines.count).toBe(5)
  expect(machines.byteLength).toBe(5 * 64)
  expect([machines.services, machines.gpuNames, machines.families]).toEqual([
    ['a', 'compute'],
    ['', 'A100', 'T4', 't4'],
    ['a', 'g'],
  ])
  expect([...machines.gpuKeys]).toEqual([
    ['a100', 1],
    ['t4', 2],
  ])
  const all = [0, 1, 2, 3, 4]
  expect(all.map((m) => machines.gpuKey(m))).toEqual([2, 0, 0, 2, 1])
  expect(all.map((m) => machines.services[machines.service(m)])).toEqual([
    'compute',
    'a',
    'a',
    'compute',
    'compute',
  ])
  expect(all.map((m) => machines.gpuNames[machines.gpuName(m)])).toEqual(['T4', '', '', 't4', 'A100'])
  expect(all.map((m) => machines.families[machines.family(m)])).toEqual(['g', 'g', 'a', 'g', 'g'])
  expect(all.map((m) => machines.vcpus(m))).toEqual([4, 4, Number.NaN, 4, 4])
  expect(all.map((m) => machines.ramGib(m))).toEqual([16, 16, 16, 16, 16])
  expect(all.map((m) => machines.gpuCount(m))).toEqual([1, 0, 0, 1, 1])
  expect(all.map((m) => machines.monthlyCapUsd(m))).toEqual([50, Number.NaN, Number.NaN, 50, 50])
  expect(all.map((m) => machines.baseline(m))).toEqual([0.1, Number.NaN, Number.NaN, 0.1, 0.1])
  expect(all.map((m) => machines.isSized(m))).toEqual([true, true, false, true, true])
  expect(all.map((m) => machines.isPlain(m))).toEqual([false, true, false, false, false])
  expect(machines.architecture(3)).not.toBe(machines.architecture(0))
  const almostPlain = (more: Partial<OfferMachine>) => new Machines([{ ...plain, ...more }]).isPlain(0)
  expect([
    almostPlain({ monthlyCapUsd: 1 }),
    almostPlain({ burstableBaseline: 1 }),
    almostPlain({ ramGib: null }),
  ]).toEqual([false, false, false])
  const unknownMemory = new Machines([plain, plain, { ...plain, ramGib: null }, plain])
  expect([0, 1, 2, 3].map((m) => unknownMemory.isSized(m))).toEqual([true, true, false, true])
})
