import { mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { replacePrivateFile } from '../store/sqlite/directory.ts'
import { CommandFailure, UsageError } from './command.ts'

export interface Context {
  readonly server: string
  readonly key: string
}

interface Contexts {
  /** The one that commands use; '' for none. */
  readonly current: string
  readonly contexts: Readonly<Record<string, Context>>
}

type Environment = Readonly<Record<string, string | undefined>>

/** The name of no context: commands then work offline or on the database of this machine. */
export const noContext = 'none'

function contextsFile({ XDG_CONFIG_HOME, HOME = homedir() }: Environment): string {
  return join(XDG_CONFIG_HOME || join(HOME, '.config'), 'cheapside', 'contexts.json')
}

export function readContexts(environment: Environment): Contexts {
  const file = contextsFile(environment)
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return { current: '', contexts: {} }
    throw new CommandFailure(
      `${file} cannot be read: ${(error as Error).message}; remove it and log in again`,
    )
  }
}

/** Returns the file. Only its owner may read it. */
export function writeContexts(environment: Environment, contexts: Contexts): string {
  const file = contextsFile(environment)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  replacePrivateFile(file, `${JSON.stringify(contexts, null, 2)}\n`)
  return file
}

/** The context that a call names, or the current one; undefined if there is none. */
export function contextOf(environment: Environment, named: string | undefined): Context | undefined {
  // Without a home there is nothing that a user could have stored.
  if (named === noContext || (named === undefined && !environment.HOME && !environment.XDG_CONFIG_HOME))
    return undefined
  const { current, contexts } = readContexts(environment)
  const name = named ?? current
  if (name === '') return undefined
  const known = Object.keys(contexts)
  if (!Object.hasOwn(contexts, name))
    throw new UsageError(
      `there is no context ${JSON.stringify(name)}; ${known.length === 0 ? 'cheapside login makes one' : `known: ${known.join(', ')}`}`,
    )
  return contexts[name]
}
