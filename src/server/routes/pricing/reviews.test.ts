import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../service.case.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service?.stop())

const plan = JSON.parse(
  readFileSync(new URL('../../../../examples/terraform/plan.json', import.meta.url), 'utf8'),
)
const review = (body: object) => service.ask('/v1/reviews', { body })

test('a plan is priced before and after, with cheaper machines of the efforts asked for', async () => {
  const { status, json } = await review({
    plan,
    name: 'web.json',
    efforts: ['resize', 'commit'],
    suggestions: 1,
  })
  expect(status).toBe(200)
  expect(json.plans).toEqual(['web.json'])
  const { before_per_month, after_per_month, difference_per_month } = json.totals
  expect(difference_per_month).toBeCloseTo(after_per_month - before_per_month, 6)
  const sum = json.changes.reduce(
    (total: number, change: { difference_per_month: number }) => total + change.difference_per_month,
    0,
  )
  expect(sum).toBeCloseTo(difference_per_month, 6)
  const efforts = json.changes.flatMap(({ suggestions }: { suggestions: { effort: string }[] }) =>
    suggestions.map(({ effort }) => effort),
  )
  expect(new Set(efforts)).toEqual(new Set(['resize', 'commit']))
})

test('a region can be given by any name of its provider', async () => {
  const placeless = structuredClone(plan)
  delete placeless.configuration
  placeless.resource_changes = [
    {
      ...{ address: 'aws_instance.a', mode: 'managed', type: 'aws_instance', name: 'a' },
      change: { actions: ['create'], before: null, after: { instance_type: 'm5.xlarge' } },
    },
  ]
  const { json } = await review({ plan: placeless, regions: { Amazon: 'us-east-1' } })
  expect(json.changes.map(({ address }: { address: string }) => address)).toEqual(['aws_instance.a'])
})

test('disks of a plan cost what the organisation registered for their type', async () => {
  const change = { actions: ['create'], before: null, after: { type: 'gp3', size: 100 } }
  const volume = { address: 'aws_ebs_volume.a', mode: 'managed', type: 'aws_ebs_volume', name: 'a', change }
  const placeless = { ...structuredClone(plan), resource_changes: [volume] }
  const cost = async () =>
    (await review({ plan: placeless, regions: { aws: 'eu-west-1' } })).json.totals.after_per_month
  expect(await cost()).toBe(8.8)
  const entry = { type: 'gp3', region: 'eu-west-1', cost_per_gb_hour: 0.0001 }
  await service.ask('/marketplace/providers/disks', { body: { entries: [entry] } })
  expect(await cost()).toBe(7.3)
})

test('texts of a plan may have line breaks, other texts of requests may not', async () => {
  const withScript = structuredClone(plan)
  withScript.resource_changes[0].change.after.user_data = '#!/bin/sh\necho "hello"\n'
  expect((await review({ plan: withScript })).status).toBe(200)
})

test('totals of reviews can be saved for the organisation, listed and removed, even by many at once', async () => {
  const saved = '/v1/reviews/saved'
  const list = async () => (await service.ask(saved)).json
  const totals = { before_per_month: 100, after_per_month: 80.5 }
  const names = Array.from({ length: 10 }, (_, i) => `shop#${i}`)
  const answers = await Promise.all(
    names.map((name) => service.ask(saved, { body: { name, ...totals, unpriced: 2 } })),
  )
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201))
  const all: { id: string; name: string }[] = await list()
  expect(all.map(({ name }) => name).sort()).toEqual(names)
  expect(all[0]).toMatchObject({
    ...totals,
    difference_per_month: -19.5,
    unpriced: 2,
    by: expect.any(String),
  })
  expect((await service.ask(`${saved}/${all[0]!.id}`, { method: 'DELETE' })).status).toBe(204)
  expect(await list()).toEqual(all.slice(1))
  expect((await service.ask(`${saved}/${all[0]!.id}`, { method: 'DELETE' })).status).toBe(404)
  expect((await service.ask(saved, { body: { name: '', ...totals } })).status).toBe(422)
  expect((await service.ask(saved, { body: { name: 'x', ...totals, after_per_month: -1 } })).status).toBe(422)
})

test('a saved review is shown with its resources', async () => {
  const saved = '/v1/reviews/saved'
  const { json: of } = await review({ plan })
  const { before_per_month, after_per_month } = of.totals
  const body = { name: 'with resources', before_per_month, after_per_month, unpriced: 0, review: of }
  const { status, json } = await service.ask(saved, { body })
  expect([status, json.has_resources]).toEqual([201, true])
  expect((await service.ask(`${saved}/${json.id}`)).json).toEqual({ ...json, review: of })
  expect((await service.ask(saved)).json[0]).toEqual(json)
  await service.ask(`${saved}/${json.id}`, { method: 'DELETE' })
  expect((await service.ask(`${saved}/${json.id}`)).status).toBe(404)
  expect((await service.ask(saved, { body: { ...body, review: { plan } } })).status).toBe(422)
})

test.each<[string, object, number, RegExp]>([
  ['no plan', {}, 422, /plan/],
  ['a list', { plan: [] }, 422, /plan/],
  ['an unknown effort', { plan, efforts: ['magic'] }, 422, /efforts/],
  ['too many suggestions', { plan, suggestions: 6 }, 422, /suggestions/],
  ['a region of an unknown provider', { plan, regions: { acme: 'x' } }, 422, /unknown provider .*acme/],
  ['not a plan', { plan: { hello: 'world' } }, 422, /cannot be reviewed/],
  [
    'too many resources',
    { plan: { ...plan, resource_changes: Array.from({ length: 1001 }, () => plan.resource_changes[0]) } },
    422,
    /at most 1000 are reviewed/,
  ],
  ['too many bytes', { plan: { text: 'x'.repeat(4 * 2 ** 20) } }, 413, /./],
])('%s is refused', async (_, body, status, words) => {
  const answer = await review(body)
  expect(answer.status).toBe(status)
  expect(JSON.stringify(answer.json)).toMatch(words)
})

test('any key can read the settings that concern users', async () => {
  const { status, json } = await service.ask('/v1/settings')
  expect(status).toBe(200)
  expect(json).toMatchObject({ retention_days: 90, price_refresh_hours: 0 })
  expect(json.cost_labels).toContain('team')
})
