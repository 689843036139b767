import { styleText } from 'node:util'
import { flagOf, readSettings, type SettingName, type Settings, SettingsError } from '../config.ts'
import { inCurrency, parseCurrency, rateText, type ShownCurrency, symbolOf } from '../domain/currency.ts'
import { Problem } from '../domain/problem.ts'
import { version } from '../runtime/version.ts'
import { StoreUnavailable, StoreUnusable } from '../store/port.ts'
import { DataDirectoryError } from '../store/sqlite/directory.ts'
import {
  type Command,
  CommandFailure,
  type CommandOption,
  commonOptions,
  type ExitCode,
  exitCode,
  GivenOptions,
  UsageError,
} from './command.ts'
import { contextOf, noContext } from './contexts.ts'
import { describeCommand, describeProgram } from './help.ts'
import { didYouMean, parseArguments } from './parse-arguments.ts'
import { printable } from './render/figures.ts'
import type { OutputFormat } from './render/formats.ts'
import { fittedLines, fittedSentences, shownAmounts, terminal } from './render/table.ts'

interface Streams {
  out(text: string): void
  err(text: string): void
  /** Absent if standard error is not a terminal. */
  progress?(text: string): void
  /** The width of the terminal; undefined if the output is not shown on one. */
  readonly columns?: number | undefined
  /** Whether standard error is a terminal. */
  readonly isErrTerminal?: boolean
}

/** Runs one command line. Errors of the user are reported as plain lines without a stack trace. */
export async function runCli(
  commands: readonly Command[],
  words: readonly string[],
  environment: Environment,
  streams: Streams,
): Promise<ExitCode> {
  const command = findCommand(commands, words)
  const hasColor = colorBy(words, environment)
  const shown = {
    columns: words.includes('--wide')
      ? Number.POSITIVE_INFINITY
      : (streams.columns ?? Number.POSITIVE_INFINITY),
    hasColor: hasColor(streams.columns !== undefined),
  }
  return terminal.run(shown, async () => {
    if (command === undefined) return answerWithoutCommand(commands, words, streams)
    const isTerminal = streams.isErrTerminal === true
    const report = { ...streams, isTerminal, isRed: hasColor(isTerminal), isJson: isJson(words) }
    try {
      return await runCommand(command, words, environment, streams)
    } catch (error) {
      return explain(error, command, report)
    }
  })
}

type Environment = Readonly<Record<string, string | undefined>>

async function runCommand(
  command: Command,
  words: readonly string[],
  environment: Environment,
  streams: Streams,
): Promise<ExitCode> {
  const { values, positionals } = await parseArguments(command, words.slice(command.name.split(' ').length))
  if (values.help === true) {
    streams.out(await describeCommand(command))
    return exitCode.done
  }
  checkOperands(command, positionals)
  for (const [name, option] of Object.entries({ ...command.options, ...commonOptions }))
    checkChoice(name, option, values[name])
  const flags: Partial<Record<SettingName, string>> = {}
  for (const name of command.settings ?? []) {
    const value = values[flagOf(name).slice(2)]
    if (typeof value === 'string') flags[name] = value
  }
  const settings = withContext(readSettings(environment, flags), command, environment, values.context)
  const format = (values.json === true ? 'json' : (values.output ?? 'table')) as OutputFormat
  const { reformat } = format === 'yaml' || format === 'csv' ? await import('./render/formats.ts') : {}
  const json = format !== 'table'
  const currency = command.settings?.includes('currency') ? await currencyOf(settings) : undefined
  const isText = !json && values.format !== 'json'
  let isConverted = !isText
  const shown = (text: string): string => {
    if (isText) {
      const fitted = fittedSentences(shownAmounts(text))
      isConverted ||= currency !== undefined && fitted.includes(symbolOf(currency))
      return fitted
    }
    const converted = currency === undefined ? text : JSON.stringify(inCurrency(JSON.parse(text), currency))
    return reformat?.(converted, format) ?? converted
  }
  const out = (text: string) => streams.out(shown(text))
  const call = {
    operands: positionals,
    json,
    settings,
    environment,
    out,
    err: (text: string) =>
      streams.err(streams.isErrTerminal ? fittedLines(shownAmounts(text)).join('\n') : shownAmounts(text)),
    show: (result: unknown, text: () => string) => {
      out(json ? JSON.stringify(result) : text())
      return exitCode.done
    },
    progress: streams.progress ?? streams.err,
  }
  return terminal.run({ ...terminal.getStore()!, currency }, async () => {
    const code = await command.run(Object.assign(new GivenOptions(values), call))
    if (currency !== undefined && isConverted) streams[isText ? 'out' : 'err'](rateText(currency))
    return code
  })
}

/** The currency of a setting, at the rate of the service that is asked, or of the price lists that are used. */
async function currencyOf(settings: Settings): Promise<ShownCurrency | undefined> {
  if (settings.currency.toUpperCase() === 'USD') return undefined
  const { exchangeOf } = await import('./commands/pricing/offline-pricing.ts')
  return parseCurrency(settings.currency, await exchangeOf(settings))
}

/** A service that is named by --server or CHEAPSIDE_SERVER goes before the stored one, which has a key of its own. */
function withContext(settings: Settings, command: Command, environment: Environment, named: unknown) {
  const name = typeof named === 'string' ? named : undefined
  if (!command.settings?.includes('server') || (settings.server !== '' && name === undefined)) return settings
  const context = contextOf(environment, name)
  return context === undefined
    ? { ...settings, ...(name === noContext && { server: '' }) }
    : { ...settings, ...context }
}

function checkChoice(name: string, { choices }: CommandOption, value: unknown): void {
  if (typeof value === 'string' && choices?.includes(value) === false)
    throw new UsageError(`--${name} must be one of ${choices.join(', ')}`)
}

/** Read before the options are parsed, so that errors of parsing are written as asked. */
const isJson = (words: readonly string[]): boolean =>
  words.some(
    (word, at) =>
      word === '--json' ||
      /^(-o|--output)=?json$/.test(word) ||
      (/^(-o|--output)$/.test(word) && words[at + 1] === 'json'),
  )

function colorBy(words: readonly string[], { NO_COLOR = '', TERM }: Environment) {
  const at = words.findIndex((word) => /^--color(=|$)/.test(word))
  const when = at < 0 ? 'auto' : (words[at]!.split('=')[1] ?? words[at + 1])
  return (isTerminal: boolean): boolean =>
    when === 'always' || (when === 'auto' && isTerminal && NO_COLOR === '' && TERM !== 'dumb')
}

function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  return [2, 1]
    .map((count) => words.slice(0, count).join(' '))
    .map((name) => commands.find((command) => command.name === name))
    .find((command) => command !== undefined)
}

async function answerWithoutCommand(
  commands: readonly Command[],
  words: readonly string[],
  { out, err }: Streams,
): Promise<ExitCode> {
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
  else if (commandWords.length > 0) {
    const names = commands.flatMap(({ name }) => [name, name.split(' ')[0]!])
    const given = commandWords.join(' ')
    const meant = (await didYouMean(given, names)) || (await didYouMean(commandWords[0]!, names))
    err(`cheapside: unknown command ${JSON.stringify(given)}${meant}`)
    if (meant !== '') return exitCode.usage
  }
  err(describeProgram(commands, commandWords[0]))
  return exitCode.usage
}

/** keys -> issue, list, revoke, rotate */
const subcommandsOf = (commands: readonly Command[], group: string): string =>
  commands
    .flatMap(({ name }) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []))
    .join(', ')

function checkOperands(command: Command, operands: readonly string[]): void {
  const names = command.operands?.split(' ') ?? []
  const max = names.some((name) => name.endsWith('...')) ? maxOperands : names.length
  const [least, most] = command.operandCount ?? [names.filter((name) => !name.startsWith('[')).length, max]
  if (operands.length < least) throw new UsageError(`${command.operands} is required`)
  if (operands.length > most) throw new UsageError(`unexpected argument ${JSON.stringify(operands[most])}`)
}

const maxOperands = 1000

/** Errors whose messages are shown to the user unchanged. */
const plainFailures = [CommandFailure, StoreUnavailable, StoreUnusable, DataDirectoryError]
/** Names of errors whose modules only some commands load. */
const plainNames = ['CatalogueFileError', 'FactsError', 'RefreshConfigError', 'SpoolInUse', 'UnknownProvider']

const isPlain = (error: unknown): error is Error =>
  plainFailures.some((failure) => error instanceof failure) ||
  (error instanceof Error && (plainNames.includes(error.name) || 'path' in error))

interface ErrorOutput extends Pick<Streams, 'err'> {
  readonly isRed: boolean
  readonly isTerminal: boolean
  readonly isJson: boolean
}

function explain(error: unknown, command: Command, output: ErrorOutput): ExitCode {
  const code = isUsage(error) ? exitCode.usage : exitCode.failed
  const lines = linesAbout(error, command)
  if (output.isJson) output.err(JSON.stringify({ error: describedError(error, lines, code) }))
  else
    for (const [at, line] of lines.entries())
      for (const part of output.isTerminal ? fittedLines(line) : [line])
        output.err(output.isRed && at === 0 ? styleText('red', part, { validateStream: false }) : part)
  return code
}

const isUsage = (error: unknown): boolean =>
  error instanceof UsageError ||
  error instanceof SettingsError ||
  (error instanceof Problem && error.code === 'invalid')

/** The same for programs: the code of the problem, or what kind of failure it is. */
function describedError(error: unknown, lines: readonly string[], code: ExitCode) {
  const message = lines.join('\n').replace(/^cheapside[^:]*: /, '')
  if (!(error instanceof Problem)) return { code: code === exitCode.usage ? 'usage' : 'failed', message }
  const { errors, extra } = error
  return { code: error.code, message, ...(errors && { errors }), ...extra }
}

function linesAbout(error: unknown, command: Command): string[] {
  const own = (message: string) => `cheapside ${command.name}: ${message}`
  if (error instanceof UsageError) return [own(`${error.message}; see cheapside ${command.name} --help`)]
  if (error instanceof SettingsError) return error.message.split('\n').map((line) => `cheapside: ${line}`)
  if (error instanceof Problem)
    return [...problemLines(error, command), ...nearestLines(error.extra?.nearest).map((line) => `  ${line}`)]
  if (isPlain(error)) return [own(error.message)]
  return own(`unexpected failure\n${(error as Error).stack ?? error}`).split('\n')
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
function optionAt(pointer: string, { optionsByPointer, options = {}, settings = [] }: Command): string {
  const member = pointer.replace(/\/\d+$/, '')
  const option = `--${member.slice(1).replaceAll('_', '-')}`
  const isOption = option.slice(2) in options || settings.some((name) => flagOf(name) === option)
  return optionsByPointer?.[member] ?? (isOption ? option : pointer)
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
