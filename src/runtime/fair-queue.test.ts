import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FairQueue, QueueFull, RoundRobinQueue } from './fair-queue.ts'

const forever = new AbortController().signal
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Events that happen to a queue, one after the other. */
type Step =
  | { readonly do: 'enter'; readonly owner: string }
  | { readonly do: 'end' | 'leave'; readonly index: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('enter' as const), owner: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ do: fc.constantFrom('end' as const, 'leave' as const), index: fc.nat(20) }),
  ),
  { maxLength: 60 },
)

test('no owner waits while a slot it may use is free, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      async (all, slots, slotsPerOwner) => {
        const queue = new FairQueue({ slots, slotsPerOwner, waitingPerOwner: 1000 })
        const running: { owner: string; release: () => void }[] = []
        const waiting: { owner: string; gone: AbortController }[] = []
        for (const step of all) {
          if (step.do === 'enter') {
            const one = { owner: step.owner, gone: new AbortController() }
            waiting.push(one)
            const remove = () => waiting.splice(waiting.indexOf(one), 1)
            queue.enter(one.owner, one.gone.signal).then((release) => {
              remove()
              running.push({ owner: one.owner, release })
            }, remove)
          } else if (step.do === 'end') running.splice(step.index % (running.length || 1), 1)[0]?.release()
          else waiting[step.index % (waiting.length || 1)]?.gone.abort()
          await settled()
          const of = (owner: string) => running.filter((one) => one.owner === owner).length
          expect([queue.inFlight, queue.waiting]).toEqual([running.length, waiting.length])
          expect(running.length).toBeLessThanOrEqual(slots)
          for (const owner of ['a', 'b', 'c']) expect(of(owner)).toBeLessThanOrEqual(slotsPerOwner)
          if (running.length < slots) for (const { owner } of waiting) expect(of(owner)).toBe(slotsPerOwner)
        }
      },
    ),
  )
})

describe('turns', () => {
  /** All callers enter at once, then each ends in turn. Returns the order in which they started. */
  async function orderOf(slotsPerOwner: number, owners: readonly string[]): Promise<string> {
    const queue = new FairQueue({ slots: 1, slotsPerOwner, waitingPerOwner: 100 })
    const order: string[] = []
    const entered = owners.map(async (owner, index) => {
      const release = await queue.enter(owner, forever)
      order.push(`${owner}${index}`)
      await settled()
      release()
    })
    await Promise.all(entered)
    return order.join(' ')
  }

  test('alternate between owners, and callers of one owner keep their order', async () => {
    expect(await orderOf(1, ['a', 'a', 'a', 'a', 'b', 'b', 'c'])).toBe('a0 a1 b4 c6 a2 b5 a3')
  })
})

test('a full queue refuses immediately; a caller that leaves frees its slot', async () => {
  const queue = new FairQueue({ slots: 1, slotsPerOwner: 1, waitingPerOwner: 1 })
  const release = await queue.enter('a', forever)
  const gone = new AbortController()
  const first = queue.enter('a', gone.signal)
  await expect(queue.enter('a', forever)).rejects.toThrow(QueueFull)
  gone.abort(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  const second = queue.enter('a', forever)
  release()
  release()
  ;(await second)()
  expect([queue.inFlight, queue.waiting]).toEqual([0, 0])
})

test('owners take turns, and the work of each keeps its order', async () => {
  const turns = new RoundRobinQueue()
  const done: string[] = []
  const add = (owner: string, piece: number) => turns.add(owner, () => done.push(`${owner}${piece}`))
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
