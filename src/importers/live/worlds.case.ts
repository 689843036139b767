import { awsWorld } from './worlds/aws.case.ts'
import { azureWorld } from './worlds/azure.case.ts'
import { gcpWorld } from './worlds/gcp.case.ts'
import { digitaloceanWorld, hetznerWorld, ovhcloudWorld } from './worlds/smaller.case.ts'
import type { World } from './worlds/world.case.ts'

/** One for each importer, in the same order. */
export const worlds: readonly World[] = [
  awsWorld,
  azureWorld,
  gcpWorld,
  digitaloceanWorld,
  hetznerWorld,
  ovhcloudWorld,
]
