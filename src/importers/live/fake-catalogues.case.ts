import { awsWorld } from './fake-catalogues/aws.case.ts'
import { azureWorld } from './fake-catalogues/azure.case.ts'
import type { World } from './fake-catalogues/fake-catalogue.case.ts'
import { gcpWorld } from './fake-catalogues/gcp.case.ts'
import { digitaloceanWorld, hetznerWorld, ovhcloudWorld } from './fake-catalogues/smaller.case.ts'

/** One for each importer, in the same order. */
export const worlds: readonly World[] = [
  awsWorld,
  azureWorld,
  gcpWorld,
  digitaloceanWorld,
  hetznerWorld,
  ovhcloudWorld,
]
