import type { Call, Command } from './cli/command.ts'
import { helpCommand } from './cli/commands/help.ts'
import { keyCommands } from './cli/commands/keys.ts'
import { serveCommand } from './cli/commands/serve.ts'
import type { KeyDeps } from './operations/keys/deps.ts'

/** Every command, one line each. What only one of them needs is loaded when it runs, so that all start fast. */
export const commands: readonly Command[] = [
  serveCommand(async (settings) => (await import('./wiring.ts')).startService(settings)),
  ...keyCommands(withKeys),
  helpCommand(() => commands),
]

/** Opens the store for one short command. A running service on the same database sees what it changes. */
async function withKeys<Result>(
  { settings }: Call,
  use: (deps: KeyDeps) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, data } = settings
  const { openStore } = await import('./store/open.ts')
  const store = await openStore({ dataFolder: data, ...(databaseUrl === '' ? {} : { databaseUrl }) })
  try {
    return await use({ store, now: Date.now, onChange: async () => {} })
  } finally {
    await store.close()
  }
}
