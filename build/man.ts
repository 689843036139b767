import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeCommand, describeProgram } from '../src/cli/help.ts'
import { terminal } from '../src/cli/render/table.ts'
import { commands } from '../src/commands.ts'
import { version } from '../src/runtime/version.ts'

// Writes a man page for each command, and one for the program, from the help of the commands:
//   node build/man.ts DIRECTORY

const directory = process.argv[2]
if (directory === undefined) throw new Error('node build/man.ts DIRECTORY')
mkdirSync(directory, { recursive: true })
await terminal.run({ columns: 71, hasColor: false }, async () => {
  write('cheapside', 'cloud cost recommendations from real prices and real usage', describeProgram(commands))
  for (const command of commands)
    write(`cheapside-${command.name.replace(' ', '-')}`, command.summary, await describeCommand(command))
})

function write(name: string, summary: string, help: string): void {
  const [usage = '', ...rest] = help.split('\n')
  const page = [
    `.TH ${name.toUpperCase()} 1 "" "Cheapside ${version}"`,
    '.SH NAME',
    `${escaped(name)} \\- ${escaped(summary)}`,
    '.SH SYNOPSIS',
    escaped(usage.replace('Usage: ', '')),
    '.SH DESCRIPTION',
    '.nf',
    ...rest.map(escaped),
    '.fi',
  ]
  writeFileSync(join(directory!, `${name}.1`), `${page.join('\n')}\n`)
}

/** A line that begins with a dot or a quote would be a request, and a plain dash a hyphen. */
function escaped(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1')
}
