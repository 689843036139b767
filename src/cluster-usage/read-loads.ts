import { LastSeenByHour } from '../allocation/hour-columns.ts'
import { NodeLoads } from '../allocation/node-loads.ts'
import { addLoads } from '../allocation/spend.ts'
import { subjectOfKey } from '../domain/subject.ts'
import { Yielder } from '../runtime/yielder.ts'
import { PodReader } from '../usage/reading/pod-reader.ts'
import type { HourRange } from '../usage/reading/pod-usage.ts'
import type { LoadSource } from './load-source.ts'
import type { LoadsByHour } from './node-load-codec.ts'

export interface ReadLoads extends LoadsByHour {
  /** How many were read. */
  readonly containers: number
}

/** Adds up what all containers of a cluster keep from others on their nodes. */
export async function readLoads(hours: HourRange, source: Pick<LoadSource, 'read'>): Promise<ReadLoads> {
  const loads = new NodeLoads()
  const ends = new LastSeenByHour()
  const reader = new PodReader()
  const yielder = new Yielder()
  let containers = 0
  for await (const stored of source.read(hours)) {
    if (subjectOfKey(stored.key).kind !== 'container') continue
    const use = reader.readHourlyUse(stored, hours)
    containers++
    if (use !== undefined) {
      addLoads(loads, use)
      ends.add(use)
    }
    if (yielder.isDue) await yielder.pause()
  }
  return { loads, ends, containers }
}
