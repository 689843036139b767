import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withResources } from '../build/plan-resources.ts'
import { planProviders } from '../src/providers/terraform/plan-providers.ts'

test('the tables of resources are current', () => {
  const document = readFileSync(join(import.meta.dirname, '../docs/how-to/review-plans.md'), 'utf8')
  expect(withResources(document), 'run node build/plan-resources.ts').toBe(document)
})

test('a type is declared once', () => {
  const types = planProviders.flatMap(({ resources }) => resources.map(({ type }) => type))
  expect(types.filter((type, i) => types.indexOf(type) !== i)).toEqual([])
})
