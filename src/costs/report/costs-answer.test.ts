import { expect, test } from 'vitest'
import { CostsCache } from './costs-answer.ts'
import { parseCostsRequest } from './query.ts'

const now = Date.parse('2026-03-20T12:00:00Z')
const query = (more: object = {}) => parseCostsRequest({ group_by: 'cluster', ...more }, now, ['app'])
const asked = (more: object = {}, organisation = 'a', format: 'json' | 'csv' = 'json') => ({
  organisation,
  query: query(more),
  format,
})

/** Counts how often an answer is made, and writes the count into the answer. */
function bench(containers = 600) {
  const state = { made: 0, basis: 'one', ms: 0 }
  const options = { clockMs: () => state.ms, maxChars: 100, minContainers: 500 }
  const cache = new CostsCache(async () => state.basis, options)
  const make = async () => {
    const name = `answer ${++state.made} \u{1F600}`
    return { pieces: piecesOf(name), next: `after ${state.made}`, measuredHours: 1, containers }
  }
  const ask = async (of = asked()) => {
    const { pieces, next } = await cache.answer(of, make)
    let text = ''
    for await (const piece of pieces) text += piece
    return `${text}, ${next}`
  }
  return { state, cache, ask }
}

async function* piecesOf(text: string) {
  yield text.slice(0, 4)
  yield text.slice(4)
}

test('an answer about many containers is computed once, with its link', async () => {
  const { ask, state } = bench()
  const first = await ask()
  expect(first).toBe('answer 1 \u{1F600}, after 1')
  expect([await ask(), await ask()]).toEqual([first, first])
  expect(state.made).toBe(1)
})

test('an answer about few containers is computed each time', async () => {
  const { ask, state } = bench(499)
  await ask()
  await ask()
  expect(state.made).toBe(2)
})

test('an answer is only used for the same query and organisation', async () => {
  const { ask, state } = bench()
  const questions = [
    asked(),
    asked({}, 'b'),
    asked({}, 'a', 'csv'),
    asked({ group_by: 'node' }),
    asked({ group_by: 'label:app' }),
    asked({ step: 'hour' }),
    asked({ cluster: 'c' }),
    asked({ namespace: 'c' }),
    asked({ limit: 5 }),
    asked({ end_date: '2026-03-20T11:00:00Z' }),
    asked({ start_date: '2026-03-01T00:00:00Z' }),
  ]
  const answers: string[] = []
  for (const question of questions) answers.push(await ask(question))
  expect(new Set(answers).size).toBe(questions.length)
  expect(state.made).toBe(questions.length)
})

test('it is computed again after prices change or it expires', async () => {
  const { ask, state } = bench()
  await ask()
  state.basis = 'other'
  expect(await ask()).toBe('answer 2 \u{1F600}, after 2')
  state.ms = 59_000
  await ask()
  expect(state.made).toBe(2)
  state.ms = 61_000
  await ask()
  expect(state.made).toBe(3)
})

test('the cache is bounded, and an answer that was not read to the end is not cached', async () => {
  const { ask, cache, state } = bench()
  const first = await ask(asked({ cluster: 'first' }))
  for (let n = 0; n < 20; n++) await ask(asked({ cluster: `c${n}` }))
  expect(await ask(asked({ cluster: 'first' }))).not.toBe(first)
  const { made } = state
  const unread = await cache.answer(asked({ cluster: 'unread' }), async () => ({
    pieces: piecesOf('never read to its end'),
    measuredHours: 1,
    containers: 600,
  }))
  await unread.pieces.next()
  await unread.pieces.return(undefined)
  expect(await ask(asked({ cluster: 'unread' }))).toBe(`answer ${made + 1} \u{1F600}, after ${made + 1}`)
})
