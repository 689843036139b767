import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, posix, resolve, win32 } from 'node:path'

interface Host {
  readonly platform: NodeJS.Platform
  readonly isRoot: boolean
  /** '' where the user has none, as in some containers. */
  readonly home: string
}

/** The operating system's usual directory for program data; never the current working directory. */
export function defaultDataFolder(
  environment: Readonly<Record<string, string | undefined>>,
  { platform, isRoot, home }: Host = thisHost(),
): string {
  const { XDG_DATA_HOME: xdg = '', LOCALAPPDATA: local = '' } = environment
  if (platform === 'win32') return win32.join(local || win32.join(home, 'AppData', 'Local'), 'Cheapside')
  // The specification of XDG has relative paths ignored.
  if (posix.isAbsolute(xdg)) return posix.join(xdg, 'cheapside')
  if (isRoot || home === '') return '/var/lib/cheapside'
  if (platform === 'darwin') return posix.join(home, 'Library/Application Support/Cheapside')
  return posix.join(home, '.local/share/cheapside')
}

/** The notice for users whose data is in ./data, the default of an earlier version. */
export function noticeOfOldData(dataFolder: string): string | undefined {
  const old = resolve('data')
  if (old === resolve(dataFolder) || !existsSync(join(old, 'cheapside.db'))) return undefined
  return `there is a database in ${old}, the default of earlier versions, and it is not used. To use it, stop the service and move the directory to ${dataFolder}, or set CHEAPSIDE_DATA=${old}`
}

/** The notice before a command opens a database: that an old one exists, or that a new one is created. */
export function noticeOfData(dataFolder: string): string | undefined {
  const isNew = !existsSync(join(dataFolder, 'cheapside.db'))
  return (
    noticeOfOldData(dataFolder) ??
    (isNew
      ? `creating a new database in ${dataFolder}; use --data for another directory or --server for a running service`
      : undefined)
  )
}

function thisHost(): Host {
  let home = ''
  try {
    home = homedir()
  } catch {
    // A user id without an entry in /etc/passwd.
  }
  return { platform: process.platform, isRoot: process.getuid?.() === 0, home: home === '/' ? '' : home }
}
