import { flagOf, type SettingName, settingList } from '../config.ts'
import type { Command } from './command.ts'
import { renderTable } from './render/table.ts'

/** The list of commands; of one group where its first word is known. */
export function describeProgram(commands: readonly Command[], group?: string): string {
  const inGroup = commands.filter((command) => command.name.split(' ')[0] === group)
  const shown = inGroup.length > 0 ? inGroup : commands
  return [
    'Usage: cheapside COMMAND [options]',
    '',
    renderTable(shown.map((command) => [`  ${command.name}`, command.summary])),
    '',
    'Offline: recommend, review, types, catalogue build, show, verify and diff. The others use the database of this machine;',
    'with --server URL and a key in CHEAPSIDE_KEY, all but catalogue refresh and collect use a running service.',
    'cheapside COMMAND --help describes one command; cheapside help settings lists every setting; cheapside --version prints the version.',
    '--json prints results as JSON. Exit codes: 0 success, 1 failure, 2 invalid arguments or settings, 3 a limit you set is exceeded.',
  ].join('\n')
}

export async function describeCommand(command: Command): Promise<string> {
  const options = Object.entries(command.options ?? {}).map(([name, option]) => [
    `  --${name}${option.type === 'string' ? ` ${option.value ?? 'TEXT'}` : ''}`,
    option.text,
  ])
  const settings = (command.settings ?? []).map((name: SettingName) => [
    `  ${flagOf(name)} TEXT`,
    `${settingList[name].text} (${settingList[name].env})`,
  ])
  const notes = typeof command.notes === 'function' ? await command.notes() : command.notes
  return [
    `Usage: cheapside ${[command.name, command.operands, '[options]'].filter(Boolean).join(' ')}`,
    '',
    `${command.summary}.`,
    '',
    renderTable([
      ...options,
      ...settings,
      ['  --json', 'Print the result as JSON'],
      ['  --help', 'Show this help'],
    ]),
    ...(notes === undefined ? [] : ['', notes]),
  ].join('\n')
}
