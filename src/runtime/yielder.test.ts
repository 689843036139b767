import { expect, test } from 'vitest'
import { BackgroundWork, Yielder } from './yielder.ts'

const { signal } = new AbortController()

test('background work pauses while requests are in progress', async () => {
  let isBusy = true
  const order: string[] = []
  const background = new BackgroundWork(() => isBusy, signal).run(async () => {
    await new Yielder().pause()
    order.push('background')
  })
  const yielder = new Yielder()
  for (let turn = 0; turn < 100; turn++) await yielder.pause()
  order.push('caller')
  isBusy = false
  await background
  expect(order).toEqual(['caller', 'background'])
})

test('background work continues while a request waits for a part of it, but not for its own next steps', async () => {
  const work = new BackgroundWork(() => true, signal)
  const part = work.run(() => new Yielder().pause())
  work.avoidPausesUntil(part)
  await part
  const stop = new AbortController()
  const other = new BackgroundWork(() => true, stop.signal)
  let isDone = false
  const next = other.run(async () => {
    const step = new Yielder().pause()
    other.avoidPausesUntil(step)
    await step
    isDone = true
  })
  for (let turn = 0; turn < 100; turn++) await new Yielder().pause()
  expect(isDone).toBe(false)
  stop.abort()
  await next
  expect(other.pausedMs).toBeGreaterThan(0)
})
