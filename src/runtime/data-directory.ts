import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, posix, resolve, win32 } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

interface Host {
  readonly platform: NodeJS.Platform
  readonly isRoot: boolean
  /** '' if the user has no home directory, as in some containers. */
  readonly home: string
}

/** The operating system's usual directory for program data; never the current working directory. */
export function defaultDataDirectory(
  environment: Environment,
  { platform, isRoot, home }: Host = thisHost(),
): string {
  const { XDG_DATA_HOME: xdg = '', LOCALAPPDATA: local = '' } = environment
  if (platform === 'win32') return win32.join(local || win32.join(home, 'AppData', 'Local'), 'Cheapside')
  // The XDG specification requires that relative paths are ignored.
  if (posix.isAbsolute(xdg)) return posix.join(xdg, 'cheapside')
  if (isRoot || home === '') return '/var/lib/cheapside'
  if (platform === 'darwin') return posix.join(home, 'Library/Application Support/Cheapside')
  return posix.join(home, '.local/share/cheapside')
}

/** The notice for users whose data is in ./data, the default of an earlier version, unless they chose a directory. */
export function noticeOfOldData(dataDirectory: string, environment: Environment): string | undefined {
  const old = resolve('data')
  if (dataDirectory !== defaultDataDirectory(environment) || !existsSync(join(old, 'cheapside.db')))
    return undefined
  return `there is a database in ${old}, the default of earlier versions, and it is not used. To use it, stop the service and move the directory to ${dataDirectory}, or set CHEAPSIDE_DATA=${old}`
}

/** The notice before a command opens a database in the default directory: that an old one exists, or that a new one is created. */
export function noticeOfData(dataDirectory: string, environment: Environment): string | undefined {
  if (dataDirectory !== defaultDataDirectory(environment)) return undefined
  const isNew = !existsSync(join(dataDirectory, 'cheapside.db'))
  return (
    noticeOfOldData(dataDirectory, environment) ??
    (isNew
      ? `creating a new database in ${dataDirectory}; use --data for another directory or --server for a running service`
      : undefined)
  )
}

function thisHost(): Host {
  let home = ''
  try {
    home = homedir()
  } catch {
    // The user id has no entry in /etc/passwd.
  }
  return { platform: process.platform, isRoot: process.getuid?.() === 0, home: home === '/' ? '' : home }
}
