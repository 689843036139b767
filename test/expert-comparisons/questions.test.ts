import { describe, expect, test } from 'vitest'
import { orProblem } from '../../src/domain/not-found.ts'
import { recommendOffers } from '../../src/pricing/recommend-offers.ts'
import { completeRequest } from '../../src/pricing/request/complete-request.ts'
import { awsQuestions } from './aws.ts'
import { azureQuestions } from './azure.ts'
import { gcpQuestions } from './gcp.ts'
import { providerKeyOf, shippedPricing } from './pricing-fixture.ts'
import type { Question } from './question.ts'
import { scopeQuestions } from './scope.ts'
import { smallerQuestions } from './smaller.ts'

// Questions written by hand from the providers' documents: what an expert would suggest, and what not. See question.ts for
// the format.

const { deps } = await shippedPricing()
const all = { awsQuestions, azureQuestions, gcpQuestions, smallerQuestions, scopeQuestions }

describe.each(Object.entries(all))('%s', (_, questions) => {
  test.each(
    questions.map(
      (question) => [`${question.machine} at ${question.use}: ${question.why}`, question] as const,
    ),
  )('%s', async (_, question) => {
    const answers = await answersTo(question)
    const missing = question.must.filter((pattern) => !answers.some((answer) => pattern.test(answer)))
    const wrong = question.mustNot.flatMap((pattern) =>
      answers.filter((answer) => pattern.test(answer)).slice(0, 3),
    )
    expect({ missing: missing.map(String), wrong }).toEqual({ missing: [], wrong: [] })
  })
})

test('there are at least 120 questions', () => {
  expect(Object.values(all).flat().length).toBeGreaterThanOrEqual(120)
})

async function answersTo({ machine, use, predicates = {}, performance }: Question): Promise<string[]> {
  const [provider, region, type, usage = 'ondemand', system = 'Linux'] = machine.split(' ') as [
    string,
    string,
    string,
  ]
  const whole = orProblem(
    await completeRequest(deps, 'nobody', {
      provider,
      region,
      instance_type: type,
      usage_type: usage,
      operating_system: system,
      predicates,
      ...(performance === undefined ? {} : { performance }),
      limit: 200,
      offers_per_type: 50,
    }),
  )
  const used = { cpu_cores: whole.vm.cpu_cores * use, ram_gb: whole.vm.ram_gb * use }
  const [, ...groups] = orProblem(await recommendOffers(deps, 'nobody', { ...whole, usage: used }))
  return groups.flatMap(([, items]) =>
    items.map(({ instance_pricing: price }) =>
      [providerKeyOf(deps, price.provider), price.region, price.instance_type, price.usage_type].join(' '),
    ),
  )
}
