import fc from 'fast-check'
import { expect, test } from 'vitest'
import { orProblem } from '../../domain/not-found.ts'
import { checkCommitments } from '../../pricing/commitments/store-commitments.ts'
import { compareMachine } from '../../pricing/compare/compare-machine.ts'
import { request } from '../../pricing/test-market.case.ts'
import { recommendMachines } from './recommend-machines.ts'
import type { VmSummary } from './schema.ts'
import { summariseMachines } from './summarise-machines.ts'
import { hours, type MachinesFixture, withMachinesFixture, xlarge } from './test-machines.case.ts'

let fixture: MachinesFixture
withMachinesFixture((opened) => {
  fixture = opened
})

const summaries = async (organisation: string, request = {}): Promise<readonly VmSummary[]> =>
  (await summariseMachines(fixture.deps, organisation, request)).items

test('processes are added up', async () => {
  await fixture.add('sum', [
    { process: 'a', cores: 0.5, gib: 2 },
    { process: 'b', cores: 0.25, gib: 1, group: 'docker' },
    { process: 'gone', cores: 1, gib: 4, hours: 168 },
  ])
  const [summary, ...others] = await summaries('sum')
  expect(others).toEqual([])
  // Processes that have ended are neither recommended nor expected: 0.75 of 0.9375 cores, 3 of 3.75 GiB.
  expect(summary).toEqual({
    vm: 'web-1',
    creationTime: new Date(hours.to * 3_600_000).toISOString(),
    totalCurrentCPU: 0.75,
    totalCurrentRAM: 3,
    totalRecommendedCPU: 0.9375,
    totalRecommendedRAM: 3.75,
    expectedUtilisationCPU: 80,
    expectedUtilisationRAM: 80,
  })
  const [docker] = await summaries('sum', { process_group: 'docker' })
  expect(docker).toMatchObject({
    totalCurrentCPU: 0.25,
    totalRecommendedCPU: 0.3125,
    expectedUtilisationCPU: 80,
  })
})

test('peaks at different times require no more than the machine has', async () => {
  const byTurns = (turn: number) => ({
    process: `turn${turn}`,
    cores: (hour: number) => (hour % 2 === turn ? 3 : 0),
    gib: (hour: number) => (hour % 2 === turn ? 14 : 1),
  })
  const processes = [byTurns(0), byTurns(1)]
  await fixture.add('turns', processes, [{ vm: 'web-1', ...xlarge }])
  const [summary] = await summaries('turns', { include_rehost: true })
  // 2 x 3.75 cores and 2 x 17.5 GiB of 4 and 16; 3 of 4 cores and 15 of 16 GiB are used
  expect(summary).toMatchObject({
    totalRecommendedCPU: 4,
    totalRecommendedRAM: 16,
    expectedUtilisationCPU: 75,
    expectedUtilisationRAM: 93.75,
  })
  expect(summary!.rehost?.sameRegion).toMatchObject({ instanceType: 'm5.xlarge', savingsPerHour: 0 })
  const { items } = await recommendMachines(fixture.deps, 'turns', {})
  expect(items.map(({ cpu }) => cpu.recommended.value)).toEqual([3.75, 3.75])

  const { texts, cores } = xlarge
  await fixture.add('half known', processes, [{ vm: 'web-1', texts, cores }])
  expect((await summaries('half known'))[0]).toMatchObject({
    totalRecommendedCPU: 4,
    totalRecommendedRAM: 35,
  })
})

test('memory that is counted twice fills a machine at most completely', async () => {
  const twice = ['a', 'b'].map((process) => ({ process, cores: 1, gib: 12 }))
  await fixture.add('twice', twice, [{ vm: 'web-1', ...xlarge }])
  expect((await summaries('twice'))[0]).toMatchObject({
    totalRecommendedRAM: 16,
    expectedUtilisationRAM: 100,
  })
})

test('a process that replaced another is expected to continue, and so is one that runs an hour a day', async () => {
  const half = (hours.to - hours.from) / 2
  await fixture.add('change', [
    { process: 'web', cgroup: '/old', cores: 1, hours: half },
    { process: 'web', cgroup: '/new', cores: 1, from: hours.from + half, hours: half },
  ])
  expect((await summaries('change'))[0]).toMatchObject({
    totalRecommendedCPU: 1.25,
    expectedUtilisationCPU: 80,
  })

  const daily = (hour: number) => (hour % 24 === 3 ? 1.2 : 0)
  await fixture.add('daily', [{ process: 'backup', cores: daily }])
  // 1.2 / 24 = 0.05 of 1.5
  expect((await summaries('daily'))[0]).toMatchObject({
    totalRecommendedCPU: 1.5,
    expectedUtilisationCPU: 3.333,
  })
})

test('summaries are the sums of recommendations, whatever the processes', async () => {
  let count = 0
  const process = fc.record({
    cores: fc.double({ min: 0, max: 4, noNaN: true }),
    gib: fc.double({ min: 0, max: 8, noNaN: true }),
    from: fc.integer({ min: hours.from, max: hours.to - 1 }),
    seconds: fc.integer({ min: 1, max: 3600 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(process, { minLength: 1, maxLength: 6 }), async (processes) => {
      const organisation = `any${++count}`
      await fixture.add(
        organisation,
        processes.map((one, index) => ({
          ...one,
          process: `p${index}`,
          hours: Math.min(30, hours.to - one.from),
        })),
      )
      const [summary] = await summaries(organisation)
      const { items } = await recommendMachines(fixture.deps, organisation, {})
      const sum = (read: (item: (typeof items)[number]) => number) =>
        items.reduce((all, item) => all + read(item), 0)
      expect(summary!.totalCurrentCPU).toBeCloseTo(
        sum(({ cpu }) => cpu.current.value),
        4,
      )
      expect(summary!.totalCurrentRAM).toBeCloseTo(
        sum(({ memory }) => memory.current.value),
        4,
      )
      expect(summary!.totalRecommendedCPU).toBeCloseTo(
        sum(({ cpu }) => cpu.recommended.value),
        4,
      )
      expect(summary!.totalRecommendedRAM).toBeCloseTo(
        sum(({ memory }) => memory.recommended.value),
        4,
      )
    }),
    { numRuns: 25 },
  )
})

test('a machine that uses little CPU and much memory is not idle', async () => {
  await fixture.add('caches', [{ vm: 'cache', cores: 0.1, gib: 8 }], [{ vm: 'cache', ...xlarge }])
  const [cache] = await summaries('caches', { include_rehost: true })
  expect(cache!.idle).toBe(false)
})

test('idle and the cheapest replacements are included on request', async () => {
  await fixture.add(
    'homes',
    [
      { vm: 'busy', cores: 1, gib: 4 },
      { vm: 'idle', cores: 0.1, gib: 2 },
      { vm: 'large', cores: 3, gib: 10 },
      { vm: 'young', cores: 0.01, gib: 1, from: hours.to - 2, hours: 2 },
    ],
    ['busy', 'idle', 'large', 'young'].map((vm) => ({ vm, ...xlarge })),
  )
  expect((await summaries('homes')).map((summary) => Object.keys(summary).length)).toEqual([8, 8, 8, 8])
  const told = await summaries('homes', { include_rehost: true })
  expect(told.map(({ vm, idle }) => [vm, idle])).toEqual([
    ['busy', false],
    ['idle', true],
    ['large', false],
    ['young', false],
  ])
  const [busy, , large, young] = told
  expect(young!.rehost).toMatchObject({ anywhere: null, sameRegion: null, confidence: 0 })
  expect(young!.rehost!.reasons).toEqual([
    'Too little data: the machine was measured for 2 hours, and at least 24 hours are needed.',
  ])
  // 1.25 cores and 5.25 GiB: in the region m5.large at 0.096, since t3.large sustains only 0.6 cores. Elsewhere
  // Standard_D2s_v5 costs 0.0965, and the speed of s-4vcpu-8gb at 0.07143 is unknown.
  const m5Large = {
    provider: 'AWS',
    region: 'us-east-1',
    availabilityZone: '',
    instanceType: 'm5.large',
    usageType: 'ONDEMAND',
    cpuCores: 2,
    ramGb: 8,
    costPerHour: 0.096,
    savingsPerHour: 0.096,
    savingsPerMonth: 70.08,
  }
  expect(busy!.rehost).toEqual({
    currentCostPerHour: 0.192,
    currentCostPerMonth: 140.16,
    anywhere: m5Large,
    sameRegion: m5Large,
    options: expect.any(Array),
    needed: {
      cpuCores: { lowerBound: 1, recommended: 1.25, upperBound: 2 },
      // 0.25 GiB more for the operating system, or 5% of what the processes need
      ramGb: { lowerBound: 4.25, recommended: 5.25, upperBound: 8.4 },
    },
    priceSource: 'list',
    priceDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    confidence: expect.any(Number),
    reasons: [],
    notes: [],
  })
  expect(busy!.rehost!.confidence).toBeGreaterThan(0.2)
  // 3.75 cores and 13.125 GiB: the machine has the right type already.
  expect(large!.rehost?.sameRegion).toMatchObject({ instanceType: 'm5.xlarge', savingsPerHour: 0 })
})

test('a replacement has memory for the operating system, but is no larger than the machine', async () => {
  await fixture.add(
    'reserve',
    [
      { vm: 'small', cores: 0.1, gib: 6.3 },
      { vm: 'tight', cores: 0.1, gib: 12.6 },
    ],
    ['small', 'tight'].map((vm) => ({ vm, ...xlarge })),
  )
  const [small, tight] = await summaries('reserve', { include_rehost: true })
  // 7.875 GiB would fit on 8 GiB, 8.26875 GiB do not.
  expect(small).toMatchObject({ totalRecommendedRAM: 7.875 })
  expect(small!.rehost).toMatchObject({
    needed: { ramGb: { recommended: 8.26875 } },
    sameRegion: { instanceType: 'm5.xlarge' },
  })
  expect(tight).toMatchObject({
    totalRecommendedRAM: 15.75,
    rehost: { needed: { ramGb: { recommended: 16 } } },
  })
})

test('a machine that has sent nothing for an hour or more has a note', async () => {
  const machines = [
    { vm: 'recent', lastHour: hours.to - 1 },
    { vm: 'silent', lastHour: hours.to - 2 },
    { vm: 'unpriced', lastHour: hours.to - 50, texts: {} },
  ]
  await fixture.add(
    'silence',
    machines.map(({ vm }) => ({ vm, cores: 1, gib: 4 })),
    machines.map((machine) => ({ ...xlarge, ...machine })),
  )
  const told = await summaries('silence', { include_rehost: true })
  const note = (hour: number) => {
    const [day, time] = new Date(hour * 3_600_000).toISOString().split('T') as [string, string]
    return `No data since ${day} ${time.slice(0, 5)} UTC: check that the machine still runs.`
  }
  expect(told.map(({ vm, rehost }) => [vm, rehost!.notes])).toEqual([
    ['recent', []],
    ['silent', [note(hours.to - 2)]],
    ['unpriced', [note(hours.to - 50)]],
  ])
})

test('options are those of a comparison, by effort', async () => {
  const [busy, , , young] = await summaries('homes', { include_rehost: true })
  const options = busy!.rehost!.options.map(({ effort, offers }) => [
    effort,
    offers.map(({ instance_type: type, term }) => `${type} ${term ?? ''}`.trim()),
  ])
  expect(options).toEqual([
    ['resize', ['m5.large']],
    ['provider', ['n2-standard-2']],
    ['commit', ['m5.xlarge 1y', 'm5.xlarge 3y']],
    ['spot', ['m5.xlarge']],
  ])
  const compared = orProblem(
    await compareMachine(
      fixture.pricing,
      'homes',
      request({
        usage: { cpu_cores: busy!.totalRecommendedCPU, ram_gb: busy!.rehost!.needed.ramGb.recommended },
        target_utilisation: { cpu: 1, ram: 1 },
        offers_per_type: 1,
      }),
      new Date(hours.to * 3_600_000).toISOString().slice(0, 10),
    ),
  )
  expect(busy!.rehost!.options).toEqual(compared.options)
  expect(young!.rehost).toMatchObject({ options: [], reasons: [expect.stringContaining('Too little data')] })
})

test('a machine that is on no price list has no options, and a reason says why', async () => {
  const processes = ['nowhere', 'unlisted'].map((vm) => ({ vm, cores: 1, gib: 4 }))
  const texts = { ...xlarge.texts, instanceType: 'm9.huge' }
  await fixture.add('unpriced', processes, [{ vm: 'unlisted', ...xlarge, texts }])
  const [nowhere, unlisted] = await summaries('unpriced', { include_rehost: true })
  const because = (text: string) => ({ options: [], reasons: [expect.stringContaining(text)] })
  expect(nowhere!.rehost).toMatchObject(
    because('it does not report its provider, region and instance type. Configure the agent to report them'),
  )
  expect(unlisted!.rehost).toMatchObject(
    because('the catalogue has no type "m9.huge" of AWS; nearest: m5.large, '),
  )
})

test('a machine without a known price has no replacements, and says why', async () => {
  await fixture.add('bare', [{ cores: 1, gib: 4 }])
  const [bare] = await summaries('bare', { include_rehost: true })
  expect(bare!.rehost).toMatchObject({
    currentCostPerHour: null,
    currentCostPerMonth: null,
    sameRegion: null,
    anywhere: null,
    priceSource: 'base',
    reasons: [expect.stringContaining('The price of the machine is not known')],
  })
})

test('an unknown provider follows from region and type if exactly one provider has them', async () => {
  const { provider: _, ...texts } = xlarge.texts
  await fixture.add('untold', [{ cores: 1, gib: 4 }], [{ vm: 'web-1', ...xlarge, texts }])
  const [untold] = await summaries('untold', { include_rehost: true })
  expect(untold!.rehost?.sameRegion).toMatchObject({ provider: 'AWS', instanceType: 'm5.large' })
})

test('a machine larger than every instance has no replacement', async () => {
  await fixture.add('huge', [{ cores: 500, gib: 4 }])
  const [huge] = await summaries('huge', { include_rehost: true })
  expect(huge!.rehost?.anywhere).toBeNull()
})

test('a machine that commitments cover costs what giving it up saves', async () => {
  await fixture.add('committed', [{ cores: 1, gib: 4 }], [{ vm: 'web-1', ...xlarge }])
  const days = { from: '2020-01-01', until: '2099-12-31' }
  const half = { name: 'ri', provider: 'aws', kind: 'reserved_instance' as const, region: 'us-east-1' }
  const committed = checkCommitments([{ ...half, instance_type: 'm5.large', instances: 1, ...days }])
  const pricing = { ...fixture.pricing, commitments: async () => committed }
  const query = { include_rehost: true }
  const { items } = await summariseMachines({ ...fixture.deps, pricing }, 'committed', query)
  const always = { commitments: ['ri'], until: '2099-12-31' }
  expect(items[0]!.rehost).toMatchObject({
    currentCostPerHour: 0.096,
    currentCostPerMonth: 70.08,
    priceSource: 'commitment',
    commitments: {
      ...always,
      saves_per_month: 70.08,
      saves_per_month_after: 140.16,
      stranded_per_month: null,
    },
    sameRegion: {
      instanceType: 'm5.large',
      savingsPerMonth: 70.08,
      commitments: { ...always, saves_per_month: 70.08, saves_per_month_after: 70.08, stranded_per_month: 0 },
    },
    notes: [expect.stringContaining('saves $70.08 a month until then, $140.16 after')],
  })
})

test('the best replacement is what saves most while commitments last', async () => {
  await fixture.add('chosen', [{ cores: 1, gib: 4 }], [{ vm: 'web-1', ...xlarge }])
  const rehostWith = async (instance_type: string) => {
    const owned = checkCommitments([
      {
        name: 'ri',
        provider: 'aws',
        kind: 'reserved_instance',
        region: 'us-east-1',
        ...{ instance_type, instances: 1, size_flexible: false, from: '2020-01-01', until: '2099-12-31' },
      },
    ])
    const pricing = { ...fixture.pricing, commitments: async () => owned }
    const query = { include_rehost: true }
    const { items } = await summariseMachines({ ...fixture.deps, pricing }, 'chosen', query)
    const { rehost } = items[0]!
    const saved = rehost!.options.map(({ effort, offers: [offer] }) => [
      effort,
      offer!.instance_type,
      offer!.commitments?.saves_per_month,
      offer!.commitments?.saves_per_month_after,
    ])
    return { rehost: rehost!, saved }
  }
  // A reservation that nothing uses yet: what it covers costs nothing more, so it wins over what costs less on demand.
  const free = await rehostWith('m5.large')
  expect(free.rehost.sameRegion).toMatchObject({ instanceType: 'm5.large', savingsPerMonth: 140.16 })
  expect(free.rehost.anywhere).toMatchObject({ instanceType: 'm5.large', savingsPerMonth: 140.16 })
  expect(free.saved.slice(0, 2)).toEqual([
    ['resize', 'm5.large', 140.16, 70.08],
    ['provider', 'n2-standard-2', undefined, undefined],
  ])
  // One that covers the machine: leaving it saves nothing until it ends.
  const covered = await rehostWith('m5.xlarge')
  const stay = { instanceType: 'm5.xlarge', savingsPerMonth: 0 }
  expect(covered.rehost).toMatchObject({ currentCostPerMonth: 0, anywhere: stay, sameRegion: stay })
  expect(covered.saved[0]).toEqual(['resize', 'm5.large', -70.08, 70.08])
})
