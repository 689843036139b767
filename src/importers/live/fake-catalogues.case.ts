import { awsFakeCatalogue } from './fake-catalogues/aws.case.ts'
import { azureFakeCatalogue } from './fake-catalogues/azure.case.ts'
import type { FakeCatalogue } from './fake-catalogues/fake-catalogue.case.ts'
import { gcpFakeCatalogue } from './fake-catalogues/gcp.case.ts'
import {
  digitaloceanFakeCatalogue,
  hetznerFakeCatalogue,
  ovhcloudFakeCatalogue,
} from './fake-catalogues/smaller.case.ts'

/** One for each importer, in the same order. */
export const fakeCatalogues: readonly FakeCatalogue[] = [
  awsFakeCatalogue,
  azureFakeCatalogue,
  gcpFakeCatalogue,
  digitaloceanFakeCatalogue,
  hetznerFakeCatalogue,
  ovhcloudFakeCatalogue,
]
