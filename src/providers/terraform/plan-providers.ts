import type { PlanProvider } from '../../domain/planned-instance.ts'
import { loadOfClouds } from '../providers.ts'
import { utilityPlans } from './utility.ts'

/** Every provider of Terraform whose resources are known; last those that exist only in Terraform. */
export const planProviders: readonly PlanProvider[] = [
  ...(await loadOfClouds((cloud) => cloud.terraform?.())).flat(),
  utilityPlans,
]
