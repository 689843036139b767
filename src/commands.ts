import type { Command } from './cli/command.ts'
import { catalogueCommands } from './cli/commands/pricing/catalogue.ts'
import { commitmentsCommand } from './cli/commands/pricing/commitments.ts'
import { diskClaimsCommand } from './cli/commands/pricing/disk-claims.ts'
import { diskCommands } from './cli/commands/pricing/disks.ts'
import { exportCommand } from './cli/commands/pricing/export-prices.ts'
import { inventoryCommand } from './cli/commands/pricing/inventory.ts'
import { learnCommand } from './cli/commands/pricing/learn.ts'
import { marketplaceCommands } from './cli/commands/pricing/marketplace.ts'
import { priceCommands } from './cli/commands/pricing/prices.ts'
import { recommendCommand } from './cli/commands/pricing/recommend.ts'
import { recountCommand } from './cli/commands/pricing/recount.ts'
import { refreshCommand } from './cli/commands/pricing/refresh.ts'
import { reviewCommand, reviewsCommands } from './cli/commands/pricing/review.ts'
import { typeCommands } from './cli/commands/pricing/types.ts'
import { backupCommands } from './cli/commands/service/backup.ts'
import { doctorCommand } from './cli/commands/service/doctor.ts'
import { healthCommand } from './cli/commands/service/health.ts'
import { keyCommands } from './cli/commands/service/keys.ts'
import { loginCommands } from './cli/commands/service/login.ts'
import { mcpCommand } from './cli/commands/service/mcp.ts'
import { serveCommand } from './cli/commands/service/serve.ts'
import { versionCommand } from './cli/commands/service/version.ts'
import { agentCommand } from './cli/commands/usage/agent.ts'
import { clusterCommands } from './cli/commands/usage/clusters.ts'
import { collectCommand } from './cli/commands/usage/collect.ts'
import { costsCommand } from './cli/commands/usage/costs.ts'
import { namespacesCommand } from './cli/commands/usage/namespaces.ts'
import { recommendationCommands } from './cli/commands/usage/recommendations.ts'
import { sharingCommands } from './cli/commands/usage/sharing.ts'
import { sizingCommands } from './cli/commands/usage/sizing.ts'
import { sizingRulesCommand } from './cli/commands/usage/sizing-rules.ts'
import { vmsCommand } from './cli/commands/usage/vms.ts'
import { volumesCommand } from './cli/commands/usage/volumes.ts'
import { completionCommand } from './cli/completion.ts'
import { helpCommand } from './cli/help.ts'
import { version } from './runtime/version.ts'

/**
 * All commands, one line each. Modules that only one command needs are loaded when it runs, so that all commands start
 * fast.
 */
export const commands: readonly Command[] = [
  serveCommand(async (settings, environment) =>
    (await import('./server/wiring/service.ts')).startService(settings, environment),
  ),
  healthCommand,
  doctorCommand,
  recommendCommand,
  ...typeCommands,
  ...diskCommands,
  diskClaimsCommand,
  reviewCommand,
  ...reviewsCommands,
  inventoryCommand,
  ...marketplaceCommands,
  ...priceCommands,
  commitmentsCommand,
  learnCommand,
  recountCommand,
  exportCommand,
  ...catalogueCommands,
  refreshCommand,
  collectCommand,
  agentCommand(version),
  namespacesCommand,
  costsCommand,
  ...sharingCommands,
  ...sizingCommands,
  sizingRulesCommand,
  vmsCommand,
  volumesCommand,
  ...recommendationCommands,
  ...clusterCommands,
  mcpCommand,
  ...keyCommands,
  ...backupCommands,
  ...loginCommands,
  completionCommand(() => commands),
  versionCommand,
  helpCommand(() => commands),
]
