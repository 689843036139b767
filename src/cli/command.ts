import type { SettingName, Settings } from '../config.ts'

/** 0 done; 1 failed; 2 the call or a setting is wrong; 3 a limit that the caller set is exceeded. */
export const exitCode = { done: 0, failed: 1, usage: 2, exceeded: 3 } as const
export type ExitCode = (typeof exitCode)[keyof typeof exitCode]

export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly text: string
  /** Placeholder for the value in the help: --type NAME. */
  readonly value?: string
  readonly multiple?: boolean
  /** Whether a value such as -speed is one, and no option. */
  readonly takesDash?: boolean
}

/** An option with a value. */
export const textOption = (value: string, text: string): CommandOption => ({ type: 'string', value, text })

/** One verb of the command line: a thin entry point to an operation. */
export interface Command {
  /** One or two words. */
  readonly name: string
  readonly summary: string
  /** What comes after the name besides options, as the help shows it. */
  readonly operands?: string
  /** How many operands it takes at least and at most; none if absent. */
  readonly operandCount?: readonly [number, number]
  readonly options?: Readonly<Record<string, CommandOption>>
  /** The options by which its operation's members are given, by JSON pointer without an index: errors name these. */
  readonly optionsByPointer?: Readonly<Record<string, string>>
  /** Settings that may be given as flags too. */
  readonly settings?: readonly SettingName[]
  /** Whether it needs neither a service nor a database; --server may name a service all the same. */
  readonly isOffline?: boolean
  /** More help, below the options; a function where it is loaded only when somebody asks. */
  readonly notes?: string | (() => Promise<string>)
  run(call: Call): Promise<ExitCode>
}

/** What a command is run with. */
export interface Call extends GivenOptions {
  readonly operands: readonly string[]
  /** --json was given: one JSON value on standard output and nothing else there. */
  readonly json: boolean
  readonly settings: Settings
  /** For credentials alone: whatever else can be set is a setting. */
  readonly environment: Readonly<Record<string, string | undefined>>
  out(text: string): void
  err(text: string): void
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

  requiredText(option: string): string {
    const value = this.text(option)
    if (value === undefined || value === '') throw new UsageError(`--${option} is required`)
    return value
  }

  /** All values of an option that may be repeated. */
  texts(option: string): string[] | undefined {
    return this.values[option] as string[] | undefined
  }

  number(option: string): number | undefined {
    const text = this.text(option)
    if (text === undefined) return undefined
    const value = text.trim() === '' ? Number.NaN : Number(text)
    if (!Number.isFinite(value))
      throw new UsageError(`--${option} must be a number, not ${JSON.stringify(text)}`)
    return value
  }
}

/** The call is invalid: reported in one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command failed for a known reason: reported in one line, exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}
