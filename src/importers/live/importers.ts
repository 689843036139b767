import { aws } from './aws.ts'
import { azure } from './azure.ts'
import { digitalocean } from './digitalocean.ts'
import { gcp } from './gcp.ts'
import { hetzner } from './hetzner.ts'
import type { Importer } from './importer.ts'
import { ovhcloud } from './ovhcloud.ts'

/** Every provider whose own price list can be read, in the order in which they are. How to add one: README.md beside this file. */
export const importers: readonly Importer[] = [
  aws, // one very large file a region; spot with a credential
  azure, // hundreds of pages
  gcp, // rates of cores and GiB; needs an API key
  digitalocean, // needs a token
  hetzner, // needs a token; in euro
  ovhcloud, // in euro
]
