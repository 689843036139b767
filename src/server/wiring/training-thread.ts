import type { ModelCache } from '../../decisions/model/model-cache.ts'
import { type TrainingTask, trainingTask } from '../../decisions/train-model.ts'
import { runOnce } from '../../runtime/worker-thread.ts'
import type { StoreAddress } from '../../store/open.ts'
import { withLease } from '../../store/with-lease.ts'
import { type ServiceContext, storeAddress } from './service-part.ts'

export type TrainingWork = TrainingTask & { readonly store: StoreAddress }

/** Training takes seconds, so it has another thread than that of requests. An abort ends it at once. */
export function trainInThread(work: TrainingWork, signal: AbortSignal): Promise<void> {
  return runOnce({ script: new URL('./training-worker.ts', import.meta.url), work, signal })
}

/** Training that has not finished after this time is given up, and another node may begin. */
const maxTrainingMs = 1_800_000

/** Returns the job that trains the models that are due. One node trains a model; the others read it from the store. */
export function trainModels(
  { store, now, settings, reportError }: Pick<ServiceContext, 'store' | 'now' | 'settings' | 'reportError'>,
  models: ModelCache,
  stopping: AbortSignal,
): () => Promise<void> {
  async function trainInTurn(organisation: string): Promise<void> {
    await withLease(store.leases, `learning/${organisation}`, { ttlMs: maxTrainingMs }, async () => {
      if (!(await models.renew(organisation))) await trainOne(organisation)
    })
  }

  async function trainOne(organisation: string): Promise<void> {
    const work = { ...trainingTask(organisation, now()), store: storeAddress(settings) }
    try {
      await trainInThread(work, AbortSignal.any([stopping, AbortSignal.timeout(maxTrainingMs)]))
      await models.renew(organisation)
    } catch (error) {
      models.failed(organisation)
      if (!stopping.aborted)
        reportError('warn', 'training the sizing model failed; it will be retried', error)
    }
  }

  return async () => {
    for (const organisation of models.due()) {
      if (stopping.aborted) return
      if (!(await models.renew(organisation))) await trainInTurn(organisation)
    }
  }
}

export interface DecidingWork {
  readonly store: StoreAddress
  readonly organisation: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Decides the sizes of an organisation in another thread than that of requests. An abort ends it at once. */
export function decideInThread(work: DecidingWork, signal: AbortSignal): Promise<void> {
  return runOnce({ script: new URL('./deciding-worker.ts', import.meta.url), work, signal })
}
