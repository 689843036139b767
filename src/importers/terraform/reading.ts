import type { PlannedInstance, PlanReading, PlanValues } from '../../domain/planned-instance.ts'

type Told = Pick<PlannedInstance, 'provider' | 'region' | 'instanceType'> & Partial<PlannedInstance>

/** Fills in what most machines have in common, or says which of the two that a price needs is not told. */
export function readPlanned(values: PlanValues, typePath: string, told: Told): PlanReading {
  if (values.isUnknown(typePath)) return { unclear: `${typePath} is known only after apply` }
  if (told.instanceType === '') return { unclear: `${typePath} is not set` }
  if (told.region === '') return { unclear: 'the plan does not tell its region' }
  return { zone: '', operatingSystem: 'Linux', usageType: 'ONDEMAND', count: 1, ...told }
}

export const spotIf = (isSpot: boolean): string => (isSpot ? 'SPOT_PREEMPTIBLE' : 'ONDEMAND')

export const windowsIf = (isWindows: boolean): string => (isWindows ? 'Windows' : 'Linux')
