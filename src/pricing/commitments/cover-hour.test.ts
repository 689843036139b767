import { describe, expect, test } from 'vitest'
import { flexibleSizeOf } from '../../catalogue/shipped-facts.ts'
import { awsProvider } from '../../providers/aws/provider.ts'
import { azureProvider } from '../../providers/azure/provider.ts'
import type { Commitment, CommittedAmount, PlanRate, RunningKind } from './commitment.ts'
import { coverHour } from './cover-hour.ts'
import { checkCommitments } from './store-commitments.ts'

const nothing: CommittedAmount = { instances: 0, perHourUsd: 0, vcpus: 0, ramGib: 0 }
const basic: Commitment = {
  name: 'c',
  provider: 'aws',
  kind: 'reserved_instance',
  region: 'r',
  zone: undefined,
  instanceType: undefined,
  family: undefined,
  operatingSystem: undefined,
  flexible: undefined,
  amount: nothing,
  percentOff: undefined,
  perHourUsd: undefined,
  usedElsewhere: 0,
  term: '1y',
  from: '2026-01-01',
  until: '2026-12-31',
}
const reserved = (instanceType: string, instances: number, more: Partial<Commitment> = {}): Commitment => ({
  ...basic,
  instanceType,
  flexible: flexibleSizeOf(awsProvider, instanceType),
  amount: { ...nothing, instances },
  ...more,
})
const plan = (perHourUsd: number, more: Partial<Commitment> = {}): Commitment => ({
  ...basic,
  kind: 'savings_plan',
  region: undefined,
  amount: { ...nothing, perHourUsd },
  ...more,
})
/** A machine that costs 1 dollar an hour for each core. */
const running = (instanceType: string, quantity: number, more: Partial<RunningKind> = {}): RunningKind => ({
  provider: 'aws',
  region: 'r',
  zone: 'ra',
  instanceType,
  family: instanceType.split('.')[0]!,
  operatingSystem: 'Linux',
  vcpus: 4,
  ramGib: 16,
  flexible: flexibleSizeOf(awsProvider, instanceType),
  hasWholeCores: true,
  coresUsd: 1,
  memoryUsd: 0,
  uncoverableUsd: 0,
  quantity,
  ...more,
})
const noRates: PlanRate = () => undefined

/** Machines of each kind that remain on demand, if each costs a dollar. */
function remaining(commitments: Commitment[], kinds: RunningKind[], rates: PlanRate = noRates): number[] {
  return coverHour(commitments, kinds, rates).kinds.map(({ onDemandUsd }) => Number(onDemandUsd.toFixed(9)))
}

describe('reservations', () => {
  // Worked examples of the EC2 user guide.
  test('cover the sizes of a family from the smallest to the largest', () => {
    expect(remaining([reserved('m3.2xlarge', 1)], [running('m3.xlarge', 2), running('m3.large', 2)])).toEqual(
      [1, 0],
    )
    expect(remaining([reserved('m4.large', 4)], [running('m4.xlarge', 2)])).toEqual([0])
    expect(remaining([reserved('c4.large', 1)], [running('c4.xlarge', 1)])).toEqual([0.5])
  })

  test('of a zone come first, and cover their type only', () => {
    const zonal = reserved('m5.large', 1, { zone: 'ra', flexible: undefined })
    const kinds = [running('m5.large', 1), running('m5.large', 1, { zone: 'rb' }), running('m5.xlarge', 1)]
    expect(remaining([zonal], kinds)).toEqual([0, 1, 1])
    expect(remaining([reserved('m5.large', 1), zonal], kinds)).toEqual([0, 0, 1])
  })

  test('cover neither other families, places, systems nor more than was bought', () => {
    const others = [
      running('m5a.large', 1),
      running('m5.large', 1, { region: 's' }),
      running('m5.large', 1, { operatingSystem: 'Windows' }),
    ]
    const linux = reserved('m5.large', 9, { operatingSystem: 'Linux' })
    expect(remaining([linux], others)).toEqual([1, 1, 1])
    expect(coverHour([linux], [running('m5.large', 3)], noRates).uses[0]!.utilisation).toBeCloseTo(1 / 3)
    const half = { ...linux, usedElsewhere: 0.5 }
    expect(remaining([half], [running('m5.large', 5)])).toEqual([0.5])
  })

  // learn.microsoft.com/azure/virtual-machines/reserved-vm-instance-size-flexibility
  test('of Azure cover by the ratios of their group, without licences', () => {
    const size = (type: string) => flexibleSizeOf(azureProvider, type)
    const ds4 = reserved('standard_ds4_v2', 1, { flexible: size('Standard_DS4_v2') })
    const ds = (type: string, quantity: number) =>
      running(type, quantity, { flexible: size(type), uncoverableUsd: 0.25 })
    expect(remaining([ds4], [ds('Standard_DS1_v2', 8)])).toEqual([2])
    expect(remaining([ds4], [ds('Standard_DS2_v2', 2), ds('Standard_DS3_v2', 1)])).toEqual([0.5, 0.25])
    expect(remaining([ds4], [ds('Standard_DS5_v2', 1)])).toEqual([0.75])
  })
})

test('sizes of reservations', () => {
  const units = (type: string) => flexibleSizeOf(awsProvider, type)?.units
  expect(['t3.nano', 'm5.large', 'm5.xlarge', 'm5.24xlarge', 'm7i.48xlarge'].map(units)).toEqual([
    0.25, 4, 8, 192, 384,
  ])
  expect(['m5.metal', 'z1d.metal', 'm7i.metal-24xl', 'g5.xlarge', 'x9.metal'].map(units)).toEqual([
    192,
    96,
    192,
    undefined,
    undefined,
  ])
})

describe('savings plans', () => {
  // The user guide's rates: a c5.9xlarge costs 4, with a compute plan 2, with a plan of its family 1; the Windows
  // c5.24xlarge 10, 8 and 6.
  const c5 = [
    running('c5.9xlarge', 1, { coresUsd: 4 }),
    running('c5.24xlarge', 1, { coresUsd: 10, operatingSystem: 'Windows' }),
  ]
  const rates: PlanRate = (of, kind) => {
    const [any, family] = kind.coresUsd === 4 ? [2, 1] : [8, 6]
    return of.family === undefined ? any : family
  }

  test('cover the highest discount first, and partly at the end', () => {
    expect(remaining([plan(2)], c5, rates)).toEqual([0, 10])
    expect(remaining([plan(6)], c5, rates)).toEqual([0, 5])
    expect(remaining([plan(99)], c5, rates)).toEqual([0, 0])
    expect(coverHour([plan(99)], c5, rates).uses[0]!.utilisation).toBeCloseTo(10 / 99)
  })

  test('that are used up leave nothing over that could cover more', () => {
    const kinds = ['a', 'b', 'c', 'd'].map((zone) => running('m5.large', 3, { zone, coresUsd: 0.1 }))
    const dollars = 3 * 0.1 * 0.7 + 3 * 0.1 * 0.7 + 3 * 0.1 * 0.7
    const { kinds: after } = coverHour([plan(dollars)], kinds, (_, { coresUsd }) => coresUsd * 0.7)
    expect(after.map(({ coveredUsd }) => coveredUsd.size)).toEqual([1, 1, 1, 0])
  })

  test('of a family come before others, and after reservations', () => {
    expect(remaining([plan(4), plan(1, { family: 'c5', region: 'r' })], c5, rates)).toEqual([0, 5])
    const covered = coverHour([plan(4), reserved('c5.9xlarge', 1)], c5, rates)
    expect(covered.kinds.map(({ coveredUsd }) => [...coveredUsd])).toEqual([[[1, 4]], [[0, 5]]])
  })
})

// learn.microsoft.com/azure/cost-management-billing/savings-plan/discount-application: reservations, then the narrower plan,
// three years before one.
test('plans of Azure come after reservations, the longer first', () => {
  const d4 = (quantity: number) => running('Standard_D4s_v5', quantity, { provider: 'azure', coresUsd: 0.2 })
  const one = plan(1, { provider: 'azure', term: '1y' })
  const three = plan(0.05, { provider: 'azure', term: '3y' })
  const rates: PlanRate = ({ term }, { coresUsd }) => coresUsd * (term === '3y' ? 0.5 : 0.7)
  const { kinds, uses } = coverHour([one, three], [d4(1)], rates)
  // 0.05 of the plan for three years covers half, and 0.07 of the other plan the rest.
  expect(kinds[0]!.coveredUsd.get(1)).toBeCloseTo(0.1)
  expect(uses.map(({ utilisation }) => utilisation)).toEqual([expect.closeTo(0.07), expect.closeTo(1)])
  const exact = reserved('standard_d4s_v5', 1, { provider: 'azure', flexible: undefined })
  expect(coverHour([one, three, exact], [d4(1)], rates).uses.map(({ utilisation }) => utilisation)).toEqual([
    0, 0, 1,
  ])
})

// cloud.google.com/docs/cuds: resources first, then dollars an hour.
test('flexible committed use of Google comes after that of cores and GiB', () => {
  const cores = { ...nothing, vcpus: 4, ramGib: 16 }
  const resources: Commitment = {
    ...basic,
    provider: 'gcp',
    kind: 'committed_use',
    family: 'n2',
    amount: cores,
  }
  const flexible = plan(0.72, { provider: 'gcp' })
  const n2 = running('n2-standard-4', 2, { provider: 'gcp', family: 'n2' })
  const { kinds, uses } = coverHour([flexible, resources], [n2], (_, { coresUsd }) => 0.72 * coresUsd)
  expect([...kinds[0]!.coveredUsd].sort()).toEqual([
    [0, 1],
    [1, 1],
  ])
  expect(uses.map(({ utilisation }) => utilisation)).toEqual([1, 1])
})

test('committed use covers cores and GiB by themselves, of machines with whole cores', () => {
  const committed: Commitment = {
    ...basic,
    kind: 'committed_use',
    family: 'n2',
    amount: { ...nothing, vcpus: 6, ramGib: 16 },
  }
  const n2 = running('n2-standard-4', 2, { family: 'n2', coresUsd: 0.75, memoryUsd: 0.25 })
  expect(remaining([committed], [n2])).toEqual([2 - 1.5 * 0.75 - 0.25])
  expect(remaining([committed], [{ ...n2, hasWholeCores: false }])).toEqual([2])
})

test('cores and GiB are committed only where the provider sells them', () => {
  const use = { name: 'c', kind: 'committed_use' as const, family: 'n2', region: 'r', vcpus: 4 }
  const days = { from: '2026-01-01', until: '2026-12-31' }
  expect(checkCommitments([{ ...use, ...days, provider: 'gcp' }])).toHaveLength(1)
  expect(() => checkCommitments([{ ...use, ...days, provider: 'aws' }])).toThrow('cannot be set')
})

describe('against every order in which usage could be covered', () => {
  test('a savings plan saves the most that it can', () => {
    const random = randomNumbers(1)
    for (let round = 0; round < 200; round++) {
      const kinds = Array.from({ length: 1 + Math.floor(4 * random()) }, (_, at) =>
        running(`m${at}.large`, 1 + Math.floor(3 * random()), { coresUsd: 1 + Math.floor(9 * random()) }),
      )
      const ratios = kinds.map(() => 0.3 + Math.floor(6 * random()) / 10)
      const rates: PlanRate = (_, kind) => {
        const at = Number(/\d/.exec(kind.instanceType)![0])
        return kind.coresUsd * ratios[at]!
      }
      const dollars = Math.floor(12 * random())
      const paid = sum(remaining([plan(dollars)], kinds, rates))
      const best = Math.min(
        ...permutations(kinds).map((order) => {
          let left = dollars
          return sum(
            order.map((kind) => {
              const rate = rates(plan(dollars), kind)! * kind.quantity
              const share = Math.min(1, left / rate)
              left -= share * rate
              return (1 - share) * kind.quantity * kind.coresUsd
            }),
          )
        }),
      )
      expect(paid).toBeCloseTo(best, 6)
    }
  })

  test('reservations leave no unit unused that could cover something', () => {
    const random = randomNumbers(2)
    const sizes = ['large', 'xlarge', '2xlarge']
    const zones = ['ra', 'rb']
    for (let round = 0; round < 200; round++) {
      const kinds = zones.flatMap((zone) =>
        sizes.map((size) => {
          const units = flexibleSizeOf(awsProvider, `m5.${size}`)!.units
          return running(`m5.${size}`, Math.floor(3 * random()), { zone, coresUsd: units })
        }),
      )
      const zonal = zones.map((zone) =>
        reserved('m5.xlarge', Math.floor(3 * random()), { zone, flexible: undefined }),
      )
      const regional = reserved('m5.large', Math.floor(9 * random()))
      const covered =
        sum(kinds.map((kind) => kind.quantity * kind.coresUsd)) - sum(remaining([regional, ...zonal], kinds))
      expect(covered).toBeCloseTo(mostUnits(kinds, zonal, regional.amount.instances * 4), 6)
    }
  })
})

/** Tries every number of machines that the reservations of each zone could cover. */
function mostUnits(kinds: RunningKind[], zonal: Commitment[], regionalUnits: number): number {
  const total = sum(kinds.map((kind) => kind.quantity * kind.coresUsd))
  let most = 0
  const counts = zonal.map(({ amount }) => amount.instances)
  for (let a = 0; a <= counts[0]!; a++)
    for (let b = 0; b <= counts[1]!; b++) {
      const inZone = (zone: string, count: number) =>
        8 *
        Math.min(
          count,
          kinds.find((kind) => kind.zone === zone && kind.instanceType === 'm5.xlarge')!.quantity,
        )
      const byZone = inZone('ra', a) + inZone('rb', b)
      most = Math.max(most, byZone + Math.min(regionalUnits, total - byZone))
    }
  return most
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

const permutations = <Item>(items: readonly Item[]): Item[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))

function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}
