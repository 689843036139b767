import { parseArgs } from 'node:util'
import { flagOf } from '../config.ts'
import { type Call, type Command, type CommandOption, UsageError } from './command.ts'

/** Parses the words after the name of a command into options and operands. */
export function parseArguments(
  command: Command,
  words: readonly string[],
): { values: Call['values']; positionals: readonly string[] } {
  const options: Record<string, CommandOption> = {
    ...command.options,
    ...Object.fromEntries(
      (command.settings ?? []).map((name) => [flagOf(name).slice(2), { type: 'string', text: '' }]),
    ),
    json: { type: 'boolean', text: '' },
  }
  try {
    const { values, positionals } = parseArgs({
      args: withNegatives(options, words),
      options: { ...options, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
      strict: true,
    })
    return { values: values as Call['values'], positionals }
  } catch (error) {
    throw new UsageError(explained(error as Error))
  }
}

/**
 * --overlap -5 becomes --overlap=-5. No option is a digit, so it must be a number, and the check of the option reports what
 * is wrong with it.
 */
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
