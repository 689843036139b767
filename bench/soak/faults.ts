import { setTimeout as delay } from 'node:timers/promises'
import type { Target } from './target.ts'

const secondsFull = 8

/** Injects one fault after the other until the time is over. After that nothing is disturbed any more. */
export async function injectFaults(
  target: Target,
  untilMs: number,
  say: (line: string) => void,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const faults: [string, () => Promise<void>][] = [['kill -9', () => target.killAndStart()]]
  if (target.database === 'postgres') faults.push(['PostgreSQL restart', () => target.restartPostgres()])
  if (target.noFullDisk === '') faults.push(['disk full', () => fullDisk(target)])
  else say(`no full disk: ${target.noFullDisk}`)
  const pauseMs = Math.min(60_000, Math.max(8_000, (untilMs - Date.now()) / 10))
  for (let turn = 0; ; turn++) {
    await delay(pauseMs)
    if (Date.now() >= untilMs) return counts
    const [name, inject] = faults[turn % faults.length]!
    say(`fault: ${name}`)
    await inject()
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
}

async function fullDisk(target: Target): Promise<void> {
  const free = target.fillDisk()
  try {
    await delay(secondsFull * 1_000)
  } finally {
    free()
  }
  await target.ready()
}
