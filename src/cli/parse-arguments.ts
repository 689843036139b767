import { parseArgs } from 'node:util'
import { flagOf } from '../config.ts'
import { type Call, type Command, type CommandOption, commonOptions, UsageError } from './command.ts'

export async function parseArguments(
  command: Command,
  words: readonly string[],
): Promise<{ values: Call['values']; positionals: readonly string[] }> {
  const options: Record<string, CommandOption> = {
    ...command.options,
    ...Object.fromEntries(
      (command.settings ?? []).map((name) => [flagOf(name).slice(2), { type: 'string', text: '' }]),
    ),
    ...commonOptions,
  }
  try {
    const { values, positionals } = parseArgs({
      args: withNegatives(options, words),
      options,
      allowPositionals: true,
      strict: true,
    })
    return { values: values as Call['values'], positionals }
  } catch (error) {
    throw new UsageError(explained(error as Error) + (await suggestion(error as Error, Object.keys(options))))
  }
}

/** --overlap -5 becomes --overlap=-5: no option is a digit, so it must be a number. */
function withNegatives(options: Record<string, CommandOption>, words: readonly string[]): string[] {
  const joined: string[] = []
  const end = words.indexOf('--')
  words.forEach((word, i) => {
    const before = words[i - 1] ?? ''
    const option = before.startsWith('--') ? options[before.slice(2)] : undefined
    const isValue = /^-\.?\d/.test(word) || (option?.takesDash === true && /^-\w/.test(word))
    if (option?.type === 'string' && isValue && (end < 0 || i < end))
      joined[joined.length - 1] = `${before}=${word}`
    else joined.push(word)
  })
  return joined
}

function explained({ message }: Error): string {
  const option = /^Option '(--[^' ]+)/.exec(message)?.[1]
  if (option !== undefined && / argument is ambiguous/.test(message))
    return `${option} needs a value; write a value that begins with a dash as ${option}=-VALUE`
  if (option !== undefined && / argument missing/.test(message)) return `${option} needs a value`
  return message.split('. ')[0]!.replace(/\.$/, '')
}

async function suggestion({ message }: Error, options: readonly string[]): Promise<string> {
  const given = /^Unknown option '--([^']+)'/.exec(message)?.[1]
  return given === undefined ? '' : didYouMean(given, options, '--')
}

/** Returns '' if no name is similar. */
export async function didYouMean(given: string, names: readonly string[], prefix = ''): Promise<string> {
  const { nearestNames } = await import('../catalogue/names/suggest.ts')
  const [nearest] = nearestNames(given, names, 1)
  return nearest === undefined ? '' : `; did you mean ${prefix}${nearest}?`
}
