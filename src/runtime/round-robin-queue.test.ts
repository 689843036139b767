import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { RoundRobinQueue } from './round-robin-queue.ts'

test('each in turn, in order of their own', async () => {
  const turns = new RoundRobinQueue()
  const done: string[] = []
  const add = (who: string, piece: number) => turns.add(who, () => done.push(`${who}${piece}`))
  for (let piece = 1; piece <= 4; piece++) add('much', piece)
  add('little', 1)
  expect(done).toEqual([])
  while (done.length < 2) await turnOfEventLoop()
  add('late', 1)
  while (done.length < 6) await turnOfEventLoop()
  expect(done).toEqual(['much1', 'little1', 'much2', 'late1', 'much3', 'much4'])
  add('late', 2)
  while (done.length < 7) await turnOfEventLoop()
  expect(done.at(-1)).toBe('late2')
})
