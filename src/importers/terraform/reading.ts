import type {
  CountRange,
  PlannedInstance,
  PlanReading,
  PlanResource,
  PlanValues,
} from '../../domain/planned-instance.ts'

type Told = Pick<PlannedInstance, 'provider' | 'region' | 'instanceType'> & Partial<PlannedInstance>

/** A resource that is read as machines. */
export const machines = (
  type: string,
  about: string,
  attributes: readonly string[],
  read: PlanResource['read'],
): PlanResource => ({ type, treatment: 'machines', about, attributes, read })

/** Resources that the provider does not charge for. What others read of them is declared too. */
export const free = (about: string, types: readonly string[], attributes: readonly string[] = []) =>
  types.map(
    (type): PlanResource => ({ type, treatment: 'free', about, attributes, read: () => ({ free: true }) }),
  )

/** Resources that cost, and have no price here. */
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

/** Fills in what most machines have in common, or says which of the two that a price needs is missing. */
export function readPlanned(
  values: PlanValues,
  typePath: string,
  told: Told,
  notes: readonly string[] = [],
): PlanReading {
  const missing = missingFor(values, typePath, told)
  return missing === undefined ? machinesOf([withDefaults(told)], notes) : { unpriced: missing }
}

export const machinesOf = (
  machines: readonly PlannedInstance[],
  notes: readonly string[] = [],
): PlanReading => (notes.length === 0 ? { machines } : { machines, notes })

export const withDefaults = (told: Told): PlannedInstance => ({
  zone: '',
  operatingSystem: 'Linux',
  usageType: 'ONDEMAND',
  count: 1,
  ...told,
})

export function missingFor(values: PlanValues, typePath: string, told: Told): string | undefined {
  if (values.isUnknown(typePath) && !values.isLeftToProvider(typePath))
    return `${typePath} is known only after apply`
  if (told.instanceType === '') return `${typePath} is not set`
  if (told.region === '') return `the plan does not contain its region; use --region ${told.provider}=REGION`
  return undefined
}

/** A group's number and bounds: where no desired number is set, the smallest. */
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

/** The same group in each of several zones. */
export const times = (
  group: { readonly count: number; readonly range?: CountRange },
  factor: number,
): { count: number; range?: CountRange } => ({
  count: group.count * factor,
  ...(group.range ? { range: { min: group.range.min * factor, max: group.range.max * factor } } : {}),
})

export const spotIf = (isSpot: boolean): string => (isSpot ? 'SPOT_PREEMPTIBLE' : 'ONDEMAND')

export const windowsIf = (isWindows: boolean): string => (isWindows ? 'Windows' : 'Linux')
