import './runtime/node-24.ts'
import './runtime/v8-flags.ts'
import { runCli } from './cli/cli.ts'
import { commands } from './commands.ts'

// A reader that closes the pipe early, such as head, neither stops the command nor changes its exit code.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return
  process.stderr.write(`cheapside: the output cannot be written: ${error.message}\n`)
  process.exit(1)
})
process.stderr.on('error', () => {})

const { stdout, stderr } = process
/** Whether a line of progress is shown, which the next output writes over. */
let hasProgress = false
const clearProgress = (): void => {
  if (hasProgress) stderr.write('\r\x1b[K')
  hasProgress = false
}
process.exitCode = await runCli(commands, process.argv.slice(2), process.env, {
  out: (text) => {
    clearProgress()
    stdout.write(`${text}\n`)
  },
  err: (text) => {
    clearProgress()
    stderr.write(`${text}\n`)
  },
  ...(stderr.isTTY && {
    progress: (text) => {
      clearProgress()
      stderr.write(text.slice(0, stderr.columns - 1))
      hasProgress = true
    },
  }),
  columns: stdout.isTTY ? stdout.columns || 80 : undefined,
  isErrTerminal: stderr.isTTY,
})
clearProgress()
