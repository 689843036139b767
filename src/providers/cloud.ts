import type { InventoryFormat, UsageFormat } from '../domain/inventory.ts'
import type { PlanProvider } from '../domain/planned-instance.ts'
import type { Provider } from '../domain/provider.ts'
import type { Importer } from './fetching/importer.ts'
import type { FillRules } from './machine.ts'
import type { MetadataService } from './metadata/metadata-service.ts'

/**
 * Everything that is known about one provider. Its declaration is always needed. Each other member loads its module when
 * it is called, so that the agent loads no price list and a price question no Terraform reader; absent if there is none.
 */
export interface Cloud {
  readonly provider: Provider
  /** How its price facts are read; absent if there are none. */
  facts?(): Promise<FactsReader>
  prices?(): Promise<Importer>
  /** The providers of Terraform that describe its machines. */
  terraform?(): Promise<readonly PlanProvider[]>
  inventory?(): Promise<InventoryFormat>
  usage?(): Promise<UsageFormat>
  /** How the agent recognises one of its machines. */
  metadata?(): Promise<MetadataService>
}

export interface FactsReader {
  readonly fill?: FillRules
  /** Returns the regions that a name such as "global" or "eu" means. */
  expand?(directory: string): Promise<ReadonlyMap<string, readonly string[]>>
  /** Returns the zones that are listed separately from the prices. */
  zones?(directory: string): Promise<readonly { region: string; zone: string }[]>
}
