import { expect, test } from 'vitest'
import { BackgroundWork, Yielder } from './yielder.ts'

const { signal } = new AbortController()

test('work that nobody waits for pauses while others work', async () => {
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

test('it goes on for somebody who waits for a part of it, and for its own next steps alone', async () => {
  const work = new BackgroundWork(() => true, signal)
  const part = work.run(() => new Yielder().pause())
  work.hurryUntil(part)
  await part
  const stop = new AbortController()
  const other = new BackgroundWork(() => true, stop.signal)
  let isDone = false
  const next = other.run(async () => {
    const step = new Yielder().pause()
    other.hurryUntil(step)
    await step
    isDone = true
  })
  for (let turn = 0; turn < 100; turn++) await new Yielder().pause()
  expect(isDone).toBe(false)
  stop.abort()
  await next
  expect(other.pausedMs).toBeGreaterThan(0)
})
