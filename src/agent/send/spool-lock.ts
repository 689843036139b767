import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns a name for one agent that survives restarts. Each agent counts CPU time from its own start, so the counters of
 * two agents that report the same machine name, on one machine or on two, must not be taken for one counter. The id of
 * the machine is confidential and only sent as a hash: machine-id(5).
 */
export function replicaName(spoolDirectory: string, machineIdFile = '/etc/machine-id'): string {
  const hash = createHash('sha256').update(`cheapside-agent\0${spoolDirectory}\0${machineId(machineIdFile)}`)
  return hash.digest('hex').slice(0, 16)
}

function machineId(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}

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
