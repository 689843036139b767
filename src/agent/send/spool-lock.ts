import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export class SpoolInUse extends Error {
  override readonly name = 'SpoolInUse'
}

/** Locks the directory until released, because two agents with the same spool would send each other's requests twice. */
export function lockSpool(directory: string): { release(): void } {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'owner')
  const me = `${process.pid} ${startOf(process.pid)}`
  try {
    const owner = readFileSync(path, 'utf8').trim()
    const pid = Number.parseInt(owner, 10)
    if (owner !== me && owner === `${pid} ${startOf(pid)}`)
      throw new SpoolInUse(`the spool ${directory} is in use by process ${pid}`)
  } catch (error) {
    if (error instanceof SpoolInUse) throw error
  }
  try {
    writeFileSync(path, `${me}\n`, { mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
  return { release: () => rmSync(path, { force: true }) }
}

/** The start time distinguishes a process from a later one with the same pid. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return 'gone'
  }
}
