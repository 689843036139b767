import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeModel } from '../../decisions/model/model-codec.ts'
import { subjectKey } from '../../domain/subject.ts'
import { packDay } from '../../ingest/retention.ts'
import { openStore } from '../../store/open.ts'
import { digestBytes, firstHour, subjectOf } from '../../usage/reading/pods.case.ts'
import { trainInThread } from './training-thread.ts'

const directory = mkdtempSync(join(tmpdir(), 'cheapside-training-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const days = 8
const partition = { organisation: 'a', source: 'push' }
const work = {
  organisation: 'a',
  store: { dataDirectory: directory },
  hours: { from: firstHour, to: firstHour + days * 24 },
  maxSeries: 100,
  trainedAt: 1_800_000_000_000,
}

/** The model that was stored. */
async function trainedModelOf(organisation: string) {
  await trainInThread({ ...work, organisation }, new AbortController().signal)
  const store = await openStore({ dataDirectory: directory })
  const kept = await store.models.read(organisation)
  await store.close()
  return { trainedAt: kept!.trainedAt, model: decodeModel(kept!)! }
}

beforeAll(async () => {
  const store = await openStore({ dataDirectory: directory })
  const epoch = await store.usage.fence(partition)
  const fleet = Array.from({ length: 24 }, (_, index) => ({
    pod: `p${index}`,
    workload: `Deployment/w${index}`,
    cores: (hour: number) => ((hour + index) % 7) / 10,
    gib: 0.5 + index / 10,
  }))
  const compacted = fleet.flatMap((pod) =>
    Array.from({ length: days }, (_, day) => ({
      key: subjectKey(subjectOf(pod)),
      day: firstHour / 24 + day,
      ...packDay([digestBytes({ ...pod, from: firstHour + day * 24, hours: 24 })]),
    })),
  )
  await store.usage.compact(partition, epoch, compacted)
  await store.close()
})

test("a model is trained on the organisation's own days only", async () => {
  const { model, trainedAt } = await trainedModelOf('a')
  expect(trainedAt).toBe(work.trainedAt)
  expect(Object.keys(model).sort()).toEqual(['p95', 'p99', 'p995', 'peak', 'risks', 'shortfalls'])
  expect(model.p95!.rows).toBe(24 * (days - 1))
  expect((await trainedModelOf('b')).model).toEqual({ risks: {} })
})

test('training can be stopped, and does not begin if it was stopped before', async () => {
  const stopping = new AbortController()
  const training = trainInThread(work, stopping.signal)
  stopping.abort()
  await expect(training).rejects.toThrow('stopped')
  await expect(trainInThread(work, stopping.signal)).rejects.toThrow('stopped')
})
