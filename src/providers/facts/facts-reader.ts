import type { FillRules } from '../machine.ts'

/** What is special about reading a provider's price facts. */
export interface FactsReader {
  readonly fill?: FillRules
  /** Returns the regions that a name such as "global" or "eu" means. */
  expand?(directory: string): Promise<ReadonlyMap<string, readonly string[]>>
  /** Returns the zones that are listed separately from the prices. */
  zones?(directory: string): Promise<readonly { region: string; zone: string }[]>
}
