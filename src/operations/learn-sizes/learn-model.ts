import { hourMs } from '../../domain/time.ts'
import { trainModel } from '../../rightsizing/model/model.ts'
import type { Store } from '../../store/port.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import { encodeModel } from './model-codec.ts'
import { readFleet } from './read-fleet.ts'

export interface ModelToLearn {
  readonly organisation: string
  readonly hours: HourRange
  readonly mostSeries: number
  /** Training time in milliseconds since 1970, stored in the model. */
  readonly learntAt: number
}

/** Limits of the training data: days of history and number of containers. */
const learningHours = 30 * 24
const mostSeries = 600

/** What an organisation's containers teach up to a time, in milliseconds since 1970. */
export function modelToLearn(organisation: string, now: number): ModelToLearn {
  const to = Math.floor(now / hourMs)
  return { organisation, hours: { from: to - learningHours, to }, mostSeries, learntAt: now }
}

/** Trains an organisation's model and keeps it in the store. */
export async function learnModel(store: Pick<Store, 'usage' | 'models'>, work: ModelToLearn): Promise<void> {
  const { organisation, hours, learntAt } = work
  const model = trainModel(await readFleet(store.usage, organisation, hours, work.mostSeries))
  await store.models.write(organisation, encodeModel(model, learntAt))
}
