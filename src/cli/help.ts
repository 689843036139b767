import { describeSettings, flagOf, flagValueOf, type SettingName, settingList } from '../config.ts'
import { type Command, type CommandOption, commonOptions, exitCode, UsageError } from './command.ts'
import { fittedLines, renderTable } from './render/table.ts'

/** Lists all commands, or only those of a group if it is the first word of a command. */
export function describeProgram(commands: readonly Command[], group?: string): string {
  const inGroup = commands.filter((command) => command.name.split(' ')[0] === group)
  const shown = inGroup.length > 0 ? inGroup : commands
  return [
    'Usage: cheapside COMMAND [options]',
    '',
    renderTable(shown.map((command) => [`  ${command.name}`, command.summary])),
    '',
    `Use the database of this machine: ${groupsThat(commands, has('data'))}.`,
    `Use a running service with --server URL and a key in CHEAPSIDE_KEY: ${groupsThat(commands, has('server'))}.`,
    `Work offline: ${groupsThat(commands, ({ isOffline = false }) => isOffline)}.`,
    'cheapside COMMAND --help describes one command; cheapside help settings lists every setting; cheapside --version prints the version.',
    '--json prints results as JSON. Exit codes: 0 success, 1 failure, 2 invalid arguments or settings, 3 a limit you set is exceeded.',
  ]
    .flatMap(fittedLines)
    .join('\n')
}

const has =
  (setting: SettingName) =>
  ({ settings = [] }: Command): boolean =>
    settings.includes(setting)

/** costs, keys, catalogue refresh; only the first word if all commands of that group match. */
function groupsThat(commands: readonly Command[], matches: (command: Command) => boolean): string {
  const groups = Map.groupBy(commands, ({ name }) => name.split(' ')[0]!)
  return [...groups]
    .flatMap(([word, all]) => (all.every(matches) ? [word] : all.filter(matches).map(({ name }) => name)))
    .join(', ')
}

export async function describeCommand(command: Command): Promise<string> {
  const settings = (command.settings ?? []).map((name: SettingName) => [
    `  ${flagOf(name)} ${flagValueOf(name)}`,
    `${settingList[name].text} (${settingList[name].env})`,
  ])
  const notes = typeof command.notes === 'function' ? await command.notes() : command.notes
  return [
    `Usage: cheapside ${[command.name, command.operands, '[options]'].filter(Boolean).join(' ')}`,
    '',
    `${command.summary}.`,
    '',
    renderTable([...optionRows(command.options ?? {}), ...settings, ...optionRows(commonOptions)]),
    ...(notes === undefined ? [] : ['', notes]),
    ...targetNote(command),
  ]
    .flatMap(fittedLines)
    .join('\n')
}

const optionRows = (options: Readonly<Record<string, CommandOption>>): string[][] =>
  Object.entries(options).map(([name, { short, type, value = 'TEXT', text }]) => [
    `  ${short === undefined ? '' : `-${short}, `}--${name}${type === 'string' ? ` ${value}` : ''}`,
    text,
  ])

function targetNote(command: Command): string[] {
  const isOnData = has('data')(command)
  if (!has('server')(command)) return command.isOffline ? ['', 'It works offline.'] : []
  if (!isOnData && !command.isOffline) return []
  const otherwise = isOnData ? 'it uses the database of this machine' : 'it works offline'
  return [
    '',
    `With --server or CHEAPSIDE_SERVER it calls that service, with the key in CHEAPSIDE_KEY; otherwise ${otherwise}.`,
  ]
}

/** `others` is a function, because the list of commands contains this command too. */
export function helpCommand(others: () => readonly Command[]): Command {
  return {
    name: 'help',
    summary: 'Show help: help, help settings, help COMMAND',
    operands: '[settings | COMMAND]',
    operandCount: [0, 2],
    run: async ({ operands, json, out }) => {
      const topic = operands.join(' ')
      const command = others().find(({ name }) => name === topic)
      const inTopic = others().filter(({ name }) => topic === '' || `${name} `.startsWith(`${topic} `))
      if (topic === 'settings')
        out(json ? JSON.stringify({ settings: settingList }) : fittedLines(describeSettings()).join('\n'))
      else if (inTopic.length === 0)
        throw new UsageError(`there is no command or help topic ${JSON.stringify(topic)}`)
      else if (json)
        out(JSON.stringify({ commands: inTopic.map(({ optionsByPointer: _, ...shown }) => shown) }))
      else out(command === undefined ? describeProgram(others(), topic) : await describeCommand(command))
      return exitCode.done
    },
  }
}
