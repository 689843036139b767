import { expect, test } from 'vitest'
import { metricRules } from '../../ingest/metrics/interpret.ts'
import { Exposition, families } from './families.ts'

const cost = { name: 'cost_usd', help: 'What it costs.', labels: ['name', 'place'] }
const age = { name: 'age_seconds', help: 'How old it is.', labels: [] }

test('writes the lines of a metric together, whatever the order in which they come', () => {
  const metrics = new Exposition([cost, age])
  metrics.add(cost, ['a', 'x'], 1.5)
  metrics.add(age, [], 7)
  metrics.add(cost, ['b', 'y'], 0.1 + 0.2)
  expect([...metrics.pieces()].join('')).toBe(
    [
      '# HELP cost_usd What it costs.',
      '# TYPE cost_usd gauge',
      'cost_usd{name="a",place="x"} 1.5',
      'cost_usd{name="b",place="y"} 0.3',
      '# HELP age_seconds How old it is.',
      '# TYPE age_seconds gauge',
      'age_seconds 7',
      '',
    ].join('\n'),
  )
})

test('names may contain any character; missing values are left out', () => {
  const metrics = new Exposition([cost])
  metrics.add(cost, ['a"b\\c\nd', '\ud800'], 2 ** 50)
  for (const nothing of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY])
    metrics.add(cost, ['e', 'f'], nothing)
  const lines = [...metrics.pieces()].join('').split('\n').slice(2)
  expect(lines).toEqual(['cost_usd{name="a\\"b\\\\c\\nd",place="\ufffd"} 1125899906842624', ''])
})

test('no metric has the name of one that is read as usage', () => {
  for (const { name } of Object.values(families)) expect(Object.keys(metricRules)).not.toContain(name)
})
