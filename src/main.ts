import './node-24.ts'
import './v8-flags.ts'
import { runCli } from './cli/cli.ts'
import { commands } from './commands.ts'

process.exitCode = await runCli(commands, process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
})
