import type { SettingName, Settings } from '../config.ts'
import { startOfDay } from '../domain/time.ts'

/** 0: done; 1: failed; 2: invalid arguments or settings; 3: a limit that the caller set is exceeded. */
export const exitCode = { done: 0, failed: 1, usage: 2, exceeded: 3 } as const
export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly text: string
  /** Placeholder for the value in the help: --type NAME. */
  readonly value?: string
  readonly multiple?: boolean
  readonly short?: string
  /** The only values that it may have; completion offers them. */
  readonly choices?: readonly string[]
  /** Whether a value may begin with a dash, as in `--sort -speed`. */
  readonly takesDash?: boolean
}

export const textOption = (value: string, text: string, choices?: readonly string[]): CommandOption => ({
  ...{ type: 'string', value, text },
  ...(choices && { choices }),
})

/** An option that may be repeated. */
export const listOption = (value: string, text: string): CommandOption => ({
  ...textOption(value, `${text}; may be repeated`),
  multiple: true,
})

export const flagOption = (text: string): CommandOption => ({ type: 'boolean', text })

export const commonOptions: Readonly<Record<string, CommandOption>> = {
  output: {
    type: 'string',
    short: 'o',
    value: 'FORMAT',
    text: 'table (default), json, yaml or csv',
    choices: ['table', 'json', 'yaml', 'csv'],
  },
  json: flagOption('Print the result as JSON, and errors as JSON on standard error'),
  wide: flagOption('Print tables in full width, however wide the terminal is'),
  context: {
    type: 'string',
    value: 'NAME',
    text: 'Use this stored service (cheapside contexts); none for no service',
  },
  color: {
    type: 'string',
    value: 'WHEN',
    text: 'auto (default: on a terminal, unless NO_COLOR is set), always or never',
    choices: ['auto', 'always', 'never'],
  },
  help: { type: 'boolean', short: 'h', text: 'Show this help' },
}

export interface Command {
  /** The name has one or two words. */
  readonly name: string
  readonly summary: string
  /** The operands after the name, as the help shows them: FILE, [FILE], FILE... */
  readonly operands?: string
  /** The least and greatest number of operands; if absent, as `operands` names them. */
  readonly operandCount?: readonly [number, number]
  readonly options?: Readonly<Record<string, CommandOption>>
  /** JSON pointers of the operation's input without an index, and their options, so that errors name the option. */
  readonly optionsByPointer?: Readonly<Record<string, string>>
  /** Settings that can also be given as flags. */
  readonly settings?: readonly SettingName[]
  /** Whether the command works without a service and a database. It may still accept --server. */
  readonly isOffline?: boolean
  /** More help, shown below the options. A function delays loading until the help is shown. */
  readonly notes?: string | (() => Promise<string>)
  run(call: Call): Promise<ExitCode>
}

/** The arguments, settings and output of one run of a command. */
export interface Call extends GivenOptions {
  readonly operands: readonly string[]
  /** Set by --json: the command prints one JSON value on standard output and nothing else there. */
  readonly json: boolean
  readonly settings: Settings
  /** Used only for credentials; everything else is a setting. */
  readonly environment: Readonly<Record<string, string | undefined>>
  out(text: string): void
  err(text: string): void
  /** Prints the result of the command as JSON or as text. */
  show(result: unknown, text: () => string): ExitCode
  /** Shows how far the command is, on a terminal in one line that is written over. */
  progress(text: string): void
}

/** The options of a call, by name. */
export class GivenOptions {
  readonly values: Readonly<Record<string, string | boolean | string[] | undefined>>

  constructor(values: GivenOptions['values']) {
    this.values = values
  }

  flag(option: string): boolean {
    return this.values[option] === true
  }

  text(option: string): string | undefined {
    const value = this.values[option]
    return typeof value === 'string' ? value : undefined
  }

  /** A date without a time is the start of that day, or its end. */
  time(option: string, of: 'start' | 'end'): string | undefined {
    return startOfDay(this.text(option), of === 'end' ? 1 : 0)
  }

  requiredText(option: string): string {
    const value = this.text(option)
    if (value === undefined || value === '') throw new UsageError(`--${option} is required`)
    return value
  }

  /** All values of an option that may be repeated. */
  texts(option: string): string[] | undefined {
    return this.values[option] as string[] | undefined
  }

  number(option: string, bounds: NumberBounds = {}): number | undefined {
    const text = this.text(option)
    if (text === undefined) return undefined
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (!Number.isFinite(value))
      throw new UsageError(`--${option} must be a number, not ${JSON.stringify(text)}`)
    const { least = value, most = value, isWhole = false } = bounds
    if (value >= least && value <= most && (!isWhole || Number.isInteger(value))) return value
    const range = bounds.most === undefined ? `from ${least}` : `from ${least} to ${most}`
    const wanted = least === 0 && bounds.most === undefined ? 'not be negative' : `be ${range}`
    throw new UsageError(`--${option} must ${isWhole ? `be a whole number ${range}` : wanted}`)
  }
}

interface NumberBounds {
  readonly least?: number
  readonly most?: number
  readonly isWhole?: boolean
}

/** The call is invalid: reported in one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command failed for a known reason: reported in one line, exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}
