import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

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
