import { decideFromStore } from '../../decisions/decide-day.ts'
import { trainAndStoreModel, trainingTask } from '../../decisions/train-model.ts'
import { dayMs, hourMs } from '../../domain/time.ts'
import { Digester } from '../../ingest/digester.ts'
import { writeQueryResult } from '../../ingest/sample-writer.ts'
import type { Store } from '../../store/port.ts'
import type { Partition } from '../../usage/port.ts'
import { DemoSeries, demoStepMs } from './series.ts'

/** Reserved for the demo; a real organisation has another name. */
export const demoOrganisation = 'cheapside-demo'
export const demoPartition: Partition = { organisation: demoOrganisation, source: 'demo' }
const demoDays = 30
/** So many earlier days have decisions, too, so that there is a history of them. */
const decidedDays = 6

export interface DemoLoad {
  /** Milliseconds since 1970. */
  readonly until: number
  readonly samples: number
}

/**
 * Writes the demo's history up to now, or what is missing of it, and trains the model and decides the sizes immediately, so that
 * they do not change a minute later. Only one process may do so at a time.
 */
export async function loadDemo(
  store: Pick<Store, 'usage' | 'models' | 'decisions' | 'leases'>,
  now: number,
): Promise<DemoLoad> {
  const digester = await Digester.open(store.usage, demoPartition, ['team'])
  const until = Math.floor(now / demoStepMs) * demoStepMs
  const first = until - demoDays * dayMs
  const resume = Number(digester.resume)
  const series = new DemoSeries(first, until)
  let samples = 0
  for (let from = Math.max(first, resume); from < until; from += dayMs) {
    const to = Math.min(until, from + dayMs)
    samples += writeQueryResult(digester.writer, series.between(from, to), '', to)
    digester.resume = String(to)
    await digester.commit()
    await digester.compact(to)
  }
  if ((await store.models.trainedAt(demoOrganisation)) === undefined)
    await trainAndStoreModel(store, trainingTask(demoOrganisation, now))
  // Whoever looked meanwhile made the service decide from a part of the usage, without this model.
  if (!(resume > 0)) await removeDecisions(store, now)
  const { signal } = new AbortController()
  for (let at = now - decidedDays * dayMs; at <= now; at += dayMs)
    await decideFromStore(store, demoOrganisation, at, signal)
  return { until, samples }
}

const pruneRows = 10_000

export async function removeDemo(store: Pick<Store, 'usage' | 'decisions'>, now: number): Promise<void> {
  const digester = await Digester.open(store.usage, demoPartition)
  digester.resume = ''
  await digester.commit()
  const afterAll = Math.ceil(now / hourMs) + 48
  while ((await store.usage.prune(demoOrganisation, afterAll, pruneRows)) > 0) {}
  await removeDecisions(store, now)
}

async function removeDecisions({ decisions }: Pick<Store, 'decisions'>, now: number): Promise<void> {
  while ((await decisions.prune(demoOrganisation, Math.ceil(now / dayMs) + 2, pruneRows)) > 0) {}
}
