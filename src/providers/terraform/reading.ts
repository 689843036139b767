import type {
  CountRange,
  PlannedInstance,
  PlanReading,
  PlanResource,
  PlanValues,
  ReplacementScope,
} from '../../domain/planned-instance.ts'

type PartialInstance = Pick<PlannedInstance, 'provider' | 'region' | 'instanceType'> &
  Partial<PlannedInstance>

export const machines = (
  type: string,
  about: string,
  attributes: readonly string[],
  read: PlanResource['read'],
): PlanResource => ({ type, treatment: 'machines', about, attributes, read })

/** Declares a managed pool of Kubernetes nodes. Only machines of the same region can be its nodes. */
export const poolNodes = (
  type: string,
  about: string,
  attributes: readonly string[],
  read: PlanResource['read'],
): PlanResource => machines(type, about, attributes, (values) => replacedWithin('region', read(values)))

/** Declares resources that the provider does not charge for. `attributes` are those that other resources read from them. */
export const free = (about: string, types: readonly string[], attributes: readonly string[] = []) =>
  types.map(
    (type): PlanResource => ({ type, treatment: 'free', about, attributes, read: () => ({ free: true }) }),
  )

/** Declares resources that cost something but have no price here. */
export const unpriced = (about: string, types: readonly string[], attributes: readonly string[] = []) =>
  types.map(
    (type): PlanResource => ({
      type,
      treatment: 'unpriced',
      about,
      attributes,
      read: () => ({ unpriced: `the catalogue has no prices of ${about}` }),
    }),
  )

/** Fills in what most machines have in common, or reports that the type or the region, which a price needs, is missing. */
export function readPlanned(
  values: PlanValues,
  typePath: string,
  described: PartialInstance,
  notes: readonly string[] = [],
): PlanReading {
  const missing = missingFor(values, typePath, described)
  return missing === undefined ? machinesOf([withDefaults(described)], notes) : { unpriced: missing }
}

export const machinesOf = (
  machines: readonly PlannedInstance[],
  notes: readonly string[] = [],
): PlanReading => (notes.length === 0 ? { machines } : { machines, notes })

export const replacedWithin = (replaceWithin: ReplacementScope, reading: PlanReading): PlanReading =>
  'machines' in reading ? { ...reading, replaceWithin } : reading

export const withDefaults = (described: PartialInstance): PlannedInstance => ({
  zone: '',
  operatingSystem: 'Linux',
  usageType: 'ONDEMAND',
  count: 1,
  ...described,
})

export function missingFor(
  values: PlanValues,
  typePath: string,
  described: PartialInstance,
): string | undefined {
  const undecided = undecidedIn(values, typePath)
  if (undecided !== undefined) return undecided
  if (described.instanceType === '') return `${typePath} is not set`
  if (described.region === '')
    return `the plan does not contain its region; use --region ${described.provider}=REGION`
  return undefined
}

/** Returns the reason if an expression sets the attribute to a value that the plan does not contain. */
export const undecidedIn = (values: PlanValues, path: string): string | undefined =>
  values.isUnknown(path) && !values.isLeftToProvider(path) ? `${path} is known only after apply` : undefined

/** The note of a group whose desired number the plan does not contain, so that the smallest one counts. */
export function smallestNote(values: PlanValues, path: string): string[] {
  const undecided = undecidedIn(values, path)
  return undecided === undefined ? [] : [`${undecided}; priced with its smallest number of machines`]
}

/** The note of a machine that the plan stops: it stays, but is not charged for. */
export const stoppedNote = 'it is stopped, so no machine is charged'

/** Returns the number and the bounds of a group. If no desired number is set, the smallest one counts. */
export function counted(
  desired: number | undefined,
  min: number | undefined,
  max: number | undefined,
): { count: number; range?: CountRange } | undefined {
  const count = desired ?? min
  if (count === undefined) return undefined
  if (min === undefined && max === undefined) return { count }
  const range = { min: Math.min(min ?? count, count), max: Math.max(max ?? count, count) }
  return range.min === range.max ? { count } : { count, range }
}

export const times = (
  group: { readonly count: number; readonly range?: CountRange },
  factor: number,
): { count: number; range?: CountRange } => ({
  count: group.count * factor,
  ...(group.range ? { range: { min: group.range.min * factor, max: group.range.max * factor } } : {}),
})

export const spotIf = (isSpot: boolean): string => (isSpot ? 'SPOT_PREEMPTIBLE' : 'ONDEMAND')

export const windowsIf = (isWindows: boolean): string => (isWindows ? 'Windows' : 'Linux')
