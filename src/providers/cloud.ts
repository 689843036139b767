import type { InventoryFormat, UsageFormat } from '../domain/inventory.ts'
import type { PlanProvider } from '../domain/planned-instance.ts'
import type { Provider } from '../domain/provider.ts'
import type { FactsReader } from './facts/facts-reader.ts'
import type { Importer } from './fetching/importer.ts'
import type { MetadataService } from './metadata/metadata-service.ts'

/**
 * Everything that is known about one provider. Its declaration is always needed. Each other member loads its module when
 * it is called, so that the agent loads no price list and a price question no Terraform reader; absent if there is none.
 */
export interface Cloud {
  readonly provider: Provider
  /** How its price facts are read; absent if there are none. */
  facts?(): Promise<FactsReader>
  /** Its own price list. */
  prices?(): Promise<Importer>
  /** The providers of Terraform that describe its machines. */
  terraform?(): Promise<readonly PlanProvider[]>
  /** The JSON of its command line. */
  inventory?(): Promise<InventoryFormat>
  /** The JSON of its monitoring. */
  usage?(): Promise<UsageFormat>
  /** How the agent recognises one of its machines. */
  metadata?(): Promise<MetadataService>
}
