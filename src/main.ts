import './node-24.ts'
import './v8-flags.ts'
import { runCli } from './cli/cli.ts'
import { commands } from './commands.ts'

// A reader that closes the pipe early, such as head, neither stops the command nor changes its exit code.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  process.stderr.write(`cheapside: the output cannot be written: ${error.message}\n`)
  process.exit(1)
})
process.stderr.on('error', () => {})

process.exitCode = await runCli(commands, process.argv.slice(2), process.env, {
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
})
