import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { renderReview } from '../src/cli/render/review.ts'
import type { PlanProvider, PlanValues } from '../src/domain/planned-instance.ts'
import {
  type ReviewOptions,
  reviewDifference,
  reviewPlans,
} from '../src/pricing/terraform/review/review-plan.ts'
import { readTerraformPlan } from '../src/pricing/terraform/terraform.ts'
import { planProviders } from '../src/providers/terraform/plan-providers.ts'
import { planMarket } from './plans/market.ts'

// Plans written by hand, in the JSON shapes that the providers document, and outputs that were checked by hand.
// vitest run test/plans.test.ts -u updates the outputs.

const directory = join(import.meta.dirname, 'plans')
const names = readdirSync(directory)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length))
  .filter((name) => !/^state-/.test(name))
const documentOf = (name: string): unknown =>
  JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8'))
const named = (name: string) => ({ name: `${name}.json`, document: documentOf(name) })
const golden = (name: string) => join(directory, 'golden', `${name}.txt`)
const deps = planMarket()
const today = '2026-11-15'

const environment = { AWS_REGION: 'us-east-1', AWS_DEFAULT_REGION: 'eu-west-1' }
const optionsOf: Record<string, ReviewOptions> = {
  'aws-region-from-environment': { defaults: { regions: {}, environment } },
  // The provider block sets a region that the plan does not contain, so the region of the environment is not used.
  'aws-region-by-expression': { defaults: { regions: {}, environment } },
  'azure-location-of-the-group': { defaults: { regions: { azure: 'westeurope' }, environment: {} } },
}

test.each(names)('%s', async (name) => {
  const review = await reviewPlans(deps, 'acme', [named(name)], { today, ...optionsOf[name] })
  await expect(renderReview(review, 'text')).toMatchFileSnapshot(golden(name))
})

test('several plans at once, as Markdown', async () => {
  const plans = ['aws-instances', 'azure-aks', 'unknown-types'].map(named)
  const review = await reviewPlans(deps, 'acme', plans, { today })
  await expect(renderReview(review, 'markdown')).toMatchFileSnapshot(golden('several-plans'))
})

test('as JSON, with every effort and half the hours', async () => {
  const efforts = ['resize', 'region', 'provider', 'commit', 'spot'] as const
  const options = { today, efforts, hours: 365 }
  const review = await reviewPlans(deps, 'acme', [named('aws-autoscaling-launch-template')], options)
  await expect(renderReview(review, 'json')).toMatchFileSnapshot(golden('json'))
})

test('a stated price is used only where there is no other', async () => {
  const prices = { aws_nat_gateway: 35.04, aws_lb: 12, aws_instance: 1, null_thing: 3 }
  const { changes, unpriced } = await reviewPlans(deps, 'acme', [named('aws-everyday')], { today, prices })
  const costOf = (address: string) =>
    changes.find((change) => change.address === address)?.difference_per_month
  expect(costOf('aws_nat_gateway.out')).toBe(32.85)
  expect(costOf('aws_nat_gateway.elsewhere')).toBe(35.04)
  expect(costOf('aws_lb.gateway')).toBe(12)
  expect(costOf('aws_instance.image_decides')).toBe(70.08)
  expect(unpriced.map(({ address }) => address)).toEqual([
    'aws_ebs_volume.from_snapshot',
    'aws_db_instance.licensed',
  ])
})

test('the difference between two states', async () => {
  const states = [named('state-before'), named('state-after')] as const
  const review = await reviewDifference(deps, 'acme', states, { today })
  await expect(renderReview(review, 'text')).toMatchFileSnapshot(golden('difference'))
})

describe('declared attributes', () => {
  const read = new Map<string, Set<string>>()
  const recording = planProviders.map(recordingProvider)
  for (const name of [...names, 'state-before']) readTerraformPlan(documentOf(name), recording)

  test.each(planProviders.flatMap(({ resources }) => resources).filter(({ type }) => read.has(type)))(
    '$type reads what it declares',
    ({ type, attributes }) => {
      expect([...read.get(type)!].filter((path) => !attributes.includes(path))).toEqual([])
    },
  )

  test('every resource type that is priced occurs in a plan', () => {
    const priced = planProviders
      .flatMap(({ resources }) => resources)
      .filter(({ treatment }) => treatment === 'machines' || treatment === 'charges')
    expect(priced.map(({ type }) => type).filter((type) => !read.has(type))).toEqual([])
  })

  function recordingProvider(provider: PlanProvider): PlanProvider {
    const resources = provider.resources.map((resource) => ({
      ...resource,
      read: (values: PlanValues) => resource.read(recorder(values, [resource.type], '')),
    }))
    return { ...provider, resources }
  }

  function recorder(values: PlanValues, types: readonly string[], prefix: string): PlanValues {
    const note = (path: string): string => {
      for (const type of types) read.getOrInsertComputed(type, () => new Set()).add(prefix + path)
      return path
    }
    return {
      text: (path) => values.text(note(path)),
      flag: (path) => values.flag(note(path)),
      number: (path) => values.number(note(path)),
      length: (path) => values.length(note(path)),
      texts: (path) => values.texts(note(path)),
      isUnknown: (path) => values.isUnknown(path),
      isLeftToProvider: (path) => values.isLeftToProvider(path),
      providerSetting: (name) => values.providerSetting(name),
      blocks: (path) => values.blocks(note(path)).map((one) => recorder(one, types, `${prefix}${path}.`)),
      resource: (path, others) => {
        const found = values.resource(note(path), others)
        return found && recorder(found, others, '')
      },
      before: () => {
        const before = values.before()
        return before && recorder(before, types, prefix)
      },
      referrers: (type, path) => values.referrers(type, path).map((one) => recorder(one, [type], '')),
    }
  }
})
