import { afterAll, beforeAll } from 'vitest'
import type { ProcessAdvisor } from '../../decisions/processes/size-process.ts'
import { type ProcessSubject, subjectKey } from '../../domain/subject.ts'
import { openTestMarket, type TestMarket } from '../../pricing/test-market.case.ts'
import { encodeEntity, entityKey, newEntity, setAttribute } from '../../usage/digest/entities.ts'
import { digestBytes, firstHour, type SyntheticPod } from '../../usage/reading/pods.case.ts'
import type { MachinesDeps } from './deps.ts'
import { MachineFactsCache } from './usage/machine-facts-cache.ts'

/** A synthetic process that does the same every hour, unless specified otherwise. */
export interface SyntheticProcess
  extends Pick<SyntheticPod, 'from' | 'hours' | 'cores' | 'gib' | 'seconds'>,
    Partial<Omit<ProcessSubject, 'kind'>> {}

export interface SyntheticMachine {
  readonly vm: string
  readonly texts?: Readonly<Record<string, string>>
  readonly cores?: number
  readonly gib?: number
  /** Hours since 1970; by default the last hour of the window. */
  readonly lastHour?: number
}

export const windowDays = 14
/** The hours of the window: fourteen days that end at the current time of the tests' clock. */
export const hours = { from: firstHour, to: firstHour + windowDays * 24 }
export const nowMs = hours.to * 3_600_000

export interface MachinesFixture extends TestMarket {
  readonly deps: MachinesDeps
  add(
    organisation: string,
    processes: readonly SyntheticProcess[],
    machines?: readonly SyntheticMachine[],
  ): Promise<void>
}

/**
 * The real store, a catalogue of a few offers, and right-sizing that recommends a quarter more than the highest usage.
 */
async function openMachinesFixture(): Promise<MachinesFixture> {
  const fixture = await openTestMarket()
  const now = () => nowMs
  return {
    ...fixture,
    deps: {
      now,
      store: fixture.store,
      adviseProcess: aQuarterMore,
      pricing: fixture.pricing,
      facts: new MachineFactsCache(fixture.store, now),
    },
    add: async (organisation, processes, machines = []) => {
      const partition = { organisation, source: 'push' }
      const epoch = await fixture.store.usage.fence(partition)
      await fixture.store.usage.commit(partition, epoch, {
        subjects: processes.map(subjectRow),
        entities: machines.map(entityRow),
        consumed: [],
        forgotten: [],
        resume: '',
      })
    },
  }
}

/** Opens a fixture before the tests of a file and closes it after them. */
export function withMachinesFixture(take: (fixture: MachinesFixture) => void | Promise<void>): void {
  let opened: MachinesFixture | undefined
  beforeAll(async () => {
    opened = await openMachinesFixture()
    await take(opened)
  })
  afterAll(() => opened?.close())
}

export const aQuarterMore: ProcessAdvisor = ({ spans }) => {
  const most = (resource: 'cpu' | 'memory', unit: number) => {
    const highest = Math.max(0, ...spans.map((span) => span[resource]?.max ?? 0)) / unit
    return { target: 1.25 * highest, lower: highest, upper: 2 * highest }
  }
  return { cpu: most('cpu', 1e6), memory: most('memory', 2 ** 30) }
}

function subjectRow(process: SyntheticProcess) {
  const { vm = 'web-1', group = 'system', process: name = 'nginx', cgroup = '/' } = process
  const subject: ProcessSubject = { kind: 'process', vm, group, process: name, cgroup }
  const {
    from = hours.from,
    hours: count = hours.to - hours.from,
    cores = 0,
    gib = 0,
    seconds = 3600,
  } = process
  return {
    key: subjectKey(subject),
    subject,
    state: new Uint8Array(),
    digests: Array.from({ length: count }, (_, index) => ({
      hour: from + index,
      part: 0,
      bytes: digestBytes({ from: from + index, hours: 1, cores, gib, seconds }),
    })),
  }
}

function entityRow({ vm, texts = {}, cores, gib, lastHour = hours.to - 1 }: SyntheticMachine) {
  const ref = { kind: 'machine', cluster: '', namespace: '', name: vm } as const
  const entity = newEntity(ref, lastHour)
  const at = lastHour * 3600
  for (const [name, text] of Object.entries(texts)) setAttribute(entity, name, text, at)
  if (cores !== undefined) setAttribute(entity, 'capacity/cpu', cores, at)
  if (gib !== undefined) setAttribute(entity, 'capacity/memory', gib * 2 ** 30, at)
  return { key: entityKey(ref), kind: ref.kind, cluster: '', lastHour, json: encodeEntity(entity) }
}

/** 0.192 an hour for 4 cores and 16 GiB: 0.192 / 46 a GiB, 7.5 times that a core. */
export const xlarge = {
  texts: { provider: 'aws', region: 'us-east-1', instanceType: 'm5.xlarge', architecture: 'x86_64' },
  cores: 4,
  gib: 16,
} as const
export const xlargeGibUsd = 0.192 / 46
export const xlargeCoreUsd = xlargeGibUsd * 7.5
