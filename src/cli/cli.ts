import { flagOf, readSettings, type SettingName, SettingsError } from '../config.ts'
import { Problem } from '../domain/problem.ts'
import { StoreUnavailable, StoreUnusable } from '../store/port.ts'
import { DataDirectoryError } from '../store/sqlite/directory.ts'
import { version } from '../version.ts'
import { type Command, CommandFailure, type ExitCode, exitCode, GivenOptions, UsageError } from './command.ts'
import { describeCommand, describeProgram } from './help.ts'
import { parseArguments } from './parse-arguments.ts'
import { printable } from './render/figures.ts'

interface Streams {
  out(text: string): void
  err(text: string): void
}

/** Runs one command line. Errors of the user are reported as plain lines without a stack trace. */
export async function runCli(
  commands: readonly Command[],
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  streams: Streams,
): Promise<ExitCode> {
  const command = findCommand(commands, words)
  if (command === undefined) return answerWithoutCommand(commands, words, streams)
  try {
    const rest = words.slice(command.name.split(' ').length)
    const { values, positionals } = parseArguments(command, rest)
    if (values.help === true) {
      streams.out(await describeCommand(command))
      return exitCode.done
    }
    checkOperands(command, positionals)
    const flags: Partial<Record<SettingName, string>> = {}
    for (const name of command.settings ?? []) {
      const value = values[flagOf(name).slice(2)]
      if (typeof value === 'string') flags[name] = value
    }
    const settings = readSettings(environment, flags)
    const json = values.json === true
    const given = { operands: positionals, json, settings, environment, ...streams }
    return await command.run(Object.assign(new GivenOptions(values), given))
  } catch (error) {
    return explain(error, command, streams)
  }
}

function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  return [2, 1]
    .map((count) => words.slice(0, count).join(' '))
    .map((name) => commands.find((command) => command.name === name))
    .find((command) => command !== undefined)
}

function answerWithoutCommand(
  commands: readonly Command[],
  words: readonly string[],
  { out, err }: Streams,
): ExitCode {
  if (words[0] === '--version' || words[0] === '-v') {
    out(version)
    return exitCode.done
  }
  const commandWords = words.filter((word) => !word.startsWith('-')).slice(0, 2)
  const isGroup =
    commandWords.length === 1 && commands.some(({ name }) => name.startsWith(`${commandWords[0]} `))
  if (words.some((word) => word === '--help' || word === '-h') && (commandWords.length === 0 || isGroup)) {
    out(describeProgram(commands, commandWords[0]))
    return exitCode.done
  }
  if (words[0]?.startsWith('-'))
    err(`cheapside: unknown option ${JSON.stringify(words[0])}; options of a command follow its name`)
  else if (isGroup)
    err(`cheapside: ${commandWords[0]} needs a subcommand: ${subcommandsOf(commands, commandWords[0]!)}`)
  else if (commandWords.length > 0)
    err(`cheapside: unknown command ${JSON.stringify(commandWords.join(' '))}`)
  err(describeProgram(commands, commandWords[0]))
  return exitCode.usage
}

/** keys -> issue, list, revoke, rotate */
const subcommandsOf = (commands: readonly Command[], group: string): string =>
  commands
    .flatMap(({ name }) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []))
    .join(', ')

function checkOperands(command: Command, operands: readonly string[]): void {
  const [least, most] = command.operandCount ?? [0, 0]
  if (operands.length < least) throw new UsageError(`${command.operands} is required`)
  if (operands.length > most) throw new UsageError(`unexpected argument ${JSON.stringify(operands[most])}`)
}

/** Errors whose messages are shown to the user unchanged. */
const plainFailures = [CommandFailure, StoreUnavailable, StoreUnusable, DataDirectoryError]

function explain(error: unknown, command: Command, { err }: Streams): ExitCode {
  if (error instanceof UsageError) {
    err(`cheapside ${command.name}: ${error.message}; see cheapside ${command.name} --help`)
    return exitCode.usage
  }
  if (error instanceof SettingsError) {
    for (const line of error.message.split('\n')) err(`cheapside: ${line}`)
    return exitCode.usage
  }
  if (error instanceof Problem) {
    for (const line of problemLines(error, command)) err(line)
    for (const line of nearestLines(error.extra?.nearest)) err(`  ${line}`)
    return error.code === 'invalid' ? exitCode.usage : exitCode.failed
  }
  if (plainFailures.some((failure) => error instanceof failure)) {
    err(`cheapside ${command.name}: ${(error as Error).message}`)
    return exitCode.failed
  }
  err(`cheapside ${command.name}: unexpected failure\n${(error as Error).stack ?? error}`)
  return exitCode.failed
}

/** One line if all errors are about options, otherwise one for the problem and one for each error. */
function problemLines({ message: whole, errors = [] }: Problem, command: Command): string[] {
  const found = errors.map(({ pointer, message }) => ({
    pointer,
    option: optionAt(pointer, command),
    message: withOptionNames(message, command),
  }))
  const faults = found.map(({ option, message }) => `${option} ${message}`)
  if (found.length > 0 && found.every(({ pointer, option }) => option !== pointer))
    return [`cheapside ${command.name}: ${faults.join('; ')}`]
  const detail = found.reduce((text, { pointer, option }) => text.replace(pointer, () => option), whole)
  const lines = found
    .filter((_, index) => detail !== `${faults[index]}.`)
    .map(({ option, message }) => `  ${option}: ${message}`)
  return [`cheapside ${command.name}: ${withOptionNames(detail, command)}`, ...lines]
}

/** /predicates/regions/0 -> --to-region; returns the pointer itself if no option corresponds to it. */
function optionAt(pointer: string, { optionsByPointer, options }: Command): string {
  const member = pointer.replace(/\/\d+$/, '')
  const option = member.slice(1).replaceAll('_', '-')
  return optionsByPointer?.[member] ?? (options !== undefined && option in options ? `--${option}` : pointer)
}

/** Members that a message mentions, which an underscore tells from words: must be before end_date -> must be before --end */
const withOptionNames = (message: string, command: Command): string =>
  message.replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (member) => {
    const pointer = [`?${member}`, `/${member}`].find((one) => optionAt(one, command) !== one)
    return pointer === undefined ? member : optionAt(pointer, command)
  })

/** {regions: ['westeurope']} -> known regions: westeurope */
function nearestLines(nearest: unknown): string[] {
  if (typeof nearest !== 'object' || nearest === null) return []
  return Object.entries(nearest).flatMap(([kind, names]) =>
    Array.isArray(names) && names.length > 0
      ? [`known ${kind.replaceAll('_', ' ')}: ${names.map((name) => printable(String(name))).join(', ')}`]
      : [],
  )
}
