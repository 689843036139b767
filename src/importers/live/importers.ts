import { awsImporter } from './aws.ts'
import { azureImporter } from './azure.ts'
import { digitaloceanImporter } from './digitalocean.ts'
import { gcpImporter } from './gcp.ts'
import { hetznerImporter } from './hetzner.ts'
import type { Importer } from './importer.ts'
import { ovhcloudImporter } from './ovhcloud.ts'

/**
 * Every provider whose own price list can be read, in the order in which they are read. How to add one:
 * README.md beside this file.
 */
export const importers: readonly Importer[] = [
  awsImporter, // one very large file a region; spot with a credential
  azureImporter, // hundreds of pages
  gcpImporter, // rates of cores and GiB; needs an API key
  digitaloceanImporter, // needs a token
  hetznerImporter, // needs a token; in euro
  ovhcloudImporter, // in euro
]
