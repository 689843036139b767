import type { MachineFactsFile } from '../../../domain/machine-facts.ts'
import type { Architecture } from '../../../domain/offer.ts'
import { awsProvider } from '../../aws/provider.ts'
import { providers } from '../../providers.ts'
import { FactsError, readCsvTable } from '../table.ts'
import { familySpeeds, type MeasuredType, type Scores, typeKey } from './speeds.ts'
import { donorBasis } from './tables.ts'

/** Returns what the price catalogue contains about a type; undefined if it has no such type. */
export type SizeOf = (
  provider: string,
  instanceType: string,
) => { readonly vcpus: number; readonly architecture: Architecture } | undefined

type SpeedRow = MachineFactsFile['speeds'][number]

/** Returns a speed for each type that was measured or that can borrow one. */
export async function readSpeeds(
  directory: string,
  sizeOf: SizeOf,
  vcpuRules: MachineFactsFile['vcpus'],
): Promise<SpeedRow[]> {
  const scores = await readScores(directory)
  const measured = [...scores].flatMap(([key, typeScores]) => {
    const [provider = '', instanceType = ''] = key.split('\n')
    if (hasUnknownBaseline(provider, instanceType)) return []
    const size = sizeOf(provider, instanceType)
    return size === undefined ? [] : measuredType(provider, instanceType, size, typeScores, vcpuRules)
  })
  const speeds = familySpeeds(measured)
  const rows: SpeedRow[] = [...speeds].map(([key, { perVcpu, basis }]) => {
    const [provider = '', type = ''] = key.split('\n')
    return [provider, type, Math.round(perVcpu), basis, '']
  })
  const columns = ['provider', 'instance_type', 'donor_instance_type', 'basis']
  await readCsvTable(
    directory,
    'performance-fill',
    columns,
    ([provider = '', type = '', donor = '', basis = '']) => {
      const speed = speeds.get(typeKey(provider, donor))
      if (donor !== '' && speed !== undefined && !speeds.has(typeKey(provider, type)))
        rows.push([provider, type.trim(), Math.round(speed.perVcpu), donorBasis(basis), donor])
    },
  )
  if (rows.length === 0) throw new FactsError(`${directory} has no speeds`)
  return rows.sort(([p, a], [q, b]) => (p === q ? (a < b ? -1 : 1) : p < q ? -1 : 1))
}

function measuredType(
  provider: string,
  instanceType: string,
  { vcpus, architecture }: NonNullable<ReturnType<SizeOf>>,
  scores: Scores,
  vcpuRules: MachineFactsFile['vcpus'],
): MeasuredType {
  const kind = vcpuRules
    .filter(([ruleProvider]) => ruleProvider === provider)
    .sort(([, a], [, b]) => a - b)
    .find(([, , pattern]) => new RegExp(pattern).test(instanceType))?.[3]
  return {
    provider,
    instanceType,
    vcpus,
    scores,
    isArm: architecture === 'arm64',
    isShared: kind === 'shared',
    isBurstable: kind === 'burstable',
    family: processorFamily(provider, instanceType, kind === 'burstable'),
  }
}

/** Burstable types have no price family, but share their processor with their siblings, so theirs is derived from the name. */
function processorFamily(provider: string, instanceType: string, isBurstable: boolean): string {
  if (!isBurstable) return providers.find(({ key }) => key === provider)?.familyOf(instanceType) ?? ''
  const [dotted, dashed] = [/^[^.]+(?=\.)/, /^[a-z]\d[a-z]?(?=-)/].map(
    (pattern) => pattern.exec(instanceType)?.[0],
  )
  return dotted ?? dashed ?? instanceType.replace(/\d+/, '#')
}

const scoreColumns =
  'provider instance_type benchmark unit score_all_cores score_one_core samples measured_on source'.split(' ')

async function readScores(directory: string): Promise<Map<string, Scores>> {
  const found = new Map<string, Scores>()
  await readCsvTable(
    directory,
    'performance',
    scoreColumns,
    ([provider = '', type = '', benchmark, , all, one]) => {
      const key = typeKey(provider, type.trim())
      const scores = found.get(key) ?? {}
      found.set(key, scores)
      if (benchmark === 'coremark' && all) scores.coremarkAll = Number(all)
      if (benchmark === 'geekbench6' && one) scores.geekbenchOne = Number(one)
      if (benchmark === 'passmark-cpu' && one) scores.passmarkOne = Number(one)
      if (benchmark === 'stress-ng-div16') {
        if (all) scores.stressAll = Number(all)
        if (one) scores.stressOne = Number(one)
      }
    },
  )
  return found
}

/**
 * Types that burst and whose provider does not publish what they sustain, by provider and pattern. Their benchmarks were
 * measured in a burst, so they have no speed, and they are undocumented (kind `custom`), so they are not offered.
 * t1.micro has the speed of a whole core for some seconds and is then throttled to a small part of it.
 * Source: EC2 user guide, "T1 Micro instances".
 */
export const unknownBaselines: readonly (readonly [provider: string, pattern: string])[] = [
  [awsProvider.key, '^t1\\.'],
]

const hasUnknownBaseline = (provider: string, instanceType: string): boolean =>
  unknownBaselines.some(([key, pattern]) => key === provider && new RegExp(pattern).test(instanceType))
