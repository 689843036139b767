import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { request } from '../../../pricing/test-market.case.ts'
import { type AskedAnswer, startTestService, type TestService } from '../../service.case.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service?.stop())

const machine = { provider: 'aws', region: 'us-east-1', instance_type: 'm5.xlarge' }
const empty = { availability_zones: [], instance_types: [], providers: [], regions: [], usage_types: [] }
const usage = { cpu_cores: 1, ram_gb: 3 }
const question = request({ ...machine, availability_zone: '', service: '', usage, predicates: empty })

const linkOf = ({ headers }: AskedAnswer) => /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]

describe('a marketplace', () => {
  const entry = (n: number) => ({
    cost_per_hour: n,
    cpu_cores: 1,
    ram_gb: 1,
    instance_type: `t${n}`,
    region: 'here',
  })

  test('is registered, listed page by page and removed', async () => {
    const body = { name: 'own cloud', entries: [1, 2, 3].map(entry) }
    expect((await service.ask('/marketplace/providers', { body })).status).toBe(200)
    const listed = await service.ask('/marketplace/providers')
    expect(listed.json.count).toBe(1)
    const first = await service.ask('/marketplace/providers/own%20cloud?limit=2')
    expect(first.json.map((one: { instance_type: string }) => one.instance_type)).toEqual(['t1', 't2'])
    expect(linkOf(first)).toContain('limit=2')
    const second = await service.ask(linkOf(first)!)
    expect(second.json.map((one: { instance_type: string }) => one.instance_type)).toEqual(['t3'])
    expect(second.headers.get('link')).toBeNull()
    expect((await service.ask('/marketplace/providers/own%20cloud', { method: 'DELETE' })).status).toBe(200)
    expect((await service.ask('/marketplace/providers/own%20cloud')).status).toBe(404)
  })

  test('names the faults of entries', async () => {
    const body = { name: 'bad', entries: [{ ...entry(1), cost_per_hour: -1 }] }
    const { status, json } = await service.ask('/marketplace/providers', { body })
    expect([status, json.errors[0].pointer]).toEqual([422, '/entries/0/cost_per_hour'])
    const none = await service.ask('/marketplace/providers', { method: 'POST' })
    expect([none.status, none.json.code]).toEqual([422, 'invalid'])
  })
})

test('instance types are listed page by page and shown one by one', async () => {
  const first = await service.ask('/v1/instance_types?provider=aws&limit=3')
  expect(first.json).toHaveLength(3)
  expect(Number(first.headers.get('cheapside-total'))).toBeGreaterThan(3)
  const second = await service.ask(linkOf(first)!)
  expect(second.json).toHaveLength(3)
  expect(second.json[0]).not.toEqual(first.json[0])
  const one = await service.ask('/v1/instance_types/aws/m5.xlarge')
  expect(one.json).toMatchObject({ instance_type: 'm5.xlarge', cpu_cores: 4 })
  const elsewhere = await service.ask('/v1/instance_types/aws/m5.xlarge?region=eu-west-1')
  expect(elsewhere.status).toBe(200)
  expect(JSON.stringify(elsewhere.json)).not.toBe(JSON.stringify(one.json))
  const unknown = await service.ask('/v1/instance_types/aws/m5.xlarg')
  expect([unknown.status, unknown.json.code]).toEqual([404, 'unknown-instance-type'])
  expect((await service.ask('/v1/regions?provider=aws&limit=2')).json).toHaveLength(2)
  const found = await service.ask('/catalogue/types?q=m5.x')
  expect(found.json.length).toBeGreaterThan(0)
})

test('a price, cheaper machines and a comparison agree on what the machine costs', async () => {
  const price = await service.ask('/pricing', {
    body: { ...machine, operating_system: 'Linux', usage_type: 'ondemand' },
  })
  expect(price.status).toBe(200)
  const cheaper = await service.ask('/recommendations', { body: question })
  expect([cheaper.status, cheaper.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ])
  expect(cheaper.headers.get('cheapside-scope')).not.toBeNull()
  const compared = await service.ask('/v1/comparisons', { body: machine })
  expect(compared.status).toBe(200)
  const anywhere = await service.ask('/v1/comparisons', { body: { ...machine, anywhere: true } })
  expect(JSON.stringify(anywhere.json).length).not.toBe(JSON.stringify(compared.json).length)
})

test('answers that are written at the same time do not mix', async () => {
  const types = ['m5.xlarge', 'c5.xlarge', 'r5.xlarge', 'm5.2xlarge', 'c5.2xlarge']
  const ask = (instance_type: string) =>
    service.ask('/recommendations', { body: { ...question, instance_type } })
  const alone: string[] = []
  for (const type of types) alone.push((await ask(type)).text)
  expect(new Set(alone).size).toBe(types.length)
  for (let round = 0; round < 5; round++)
    expect((await Promise.all(types.map(ask))).map(({ text }) => text)).toEqual(alone)
})
