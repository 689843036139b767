import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../service.case.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service?.stop())

const path = '/admin/organisations/default/sizing_rules'
const put = (rules: object[], headers = {}) => service.ask(path, { method: 'PUT', body: { rules }, headers })

test('sizing rules that someone has changed meanwhile are not replaced', async () => {
  const before = await service.ask('/v1/sizing_rules')
  const etag = before.headers.get('etag')!
  expect(before.json).toEqual({ organisation: 'default', rules: [], etag })
  const [theirs, mine] = [[{ namespace: 'theirs', min_cpu: 2 }], [{ namespace: 'mine', min_cpu: 1 }]]
  const written = await put(theirs, { 'if-match': etag })
  expect([written.status, written.headers.get('etag')]).toEqual([200, written.json.etag])

  const refused = await put(mine, { 'if-match': etag })
  expect(refused).toMatchObject({
    status: 412,
    json: { code: 'precondition-failed', detail: expect.stringContaining('changed meanwhile') },
  })
  expect(refused.json.current).toEqual(written.json)
  expect((await service.ask(path)).json).toEqual(written.json)

  const current = written.json.etag
  for (const match of ['', 'x', '"x"', current.slice(1, -1)])
    expect((await put(mine, { 'if-match': match })).status, match).toBe(412)
  for (const match of [current, `"x", W/${current}`, '*'])
    expect((await put(theirs, { 'if-match': match })).status, match).toBe(200)
  expect((await put(mine)).json.rules).toEqual(mine)
  expect((await put([])).json.etag).toBe(etag)
})

test('of several that replace the same rules at once, one succeeds', async () => {
  const { etag } = (await service.ask(path)).json
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => put([{ min_cpu: index + 1 }], { 'if-match': etag })),
  )
  const [done, ...others] = answers.filter(({ status }) => status === 200)
  expect([others, answers.filter(({ status }) => status === 412).length]).toEqual([[], 7])
  expect((await service.ask(path)).json).toEqual(done!.json)
})

test.each(['sizing_profile', 'sizing_rules', 'cost_sharing'])(
  '%s of a name that no organisation can have',
  async (name) => {
    const body = name === 'sizing_rules' ? { rules: [] } : {}
    for (const organisation of [`9${'é'.repeat(51)}`, 'a b', '-'])
      for (const request of [{}, { method: 'PUT', body }]) {
        const { status, json } = await service.ask(
          `/admin/organisations/${encodeURIComponent(organisation)}/${name}`,
          request,
        )
        expect([status, json.errors[0].pointer], organisation).toEqual([422, '/organisation'])
      }
  },
)

test('a rule names who sets the size of a container, in text that a comment can hold', async () => {
  const rule = { container: 'log-shipper', managed_by: 'the platform team' }
  expect((await put([rule])).json.rules).toEqual([rule])
  const refused = await put([{ ...rule, managed_by: 'a\nkind: Secret' }])
  expect(refused.json.errors).toMatchObject([
    { pointer: '/rules/0/managed_by', message: expect.stringContaining('control characters') },
  ])
  expect((await put([])).status).toBe(200)
})

test.each([
  [120, 'must be <= 100'],
  ['half', 'must be number'],
])(
  'a number that may be null and is %s is refused with what is wrong with it only',
  async (percent, message) => {
    const body = { network_internet_percent: percent }
    const refused = await service.ask('/admin/organisations/default/cost_sharing', { method: 'PUT', body })
    const pointer = '/network_internet_percent'
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      [expect.objectContaining({ pointer, message })],
    ])
  },
)
