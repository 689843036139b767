import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../service.case.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service?.stop())

test('views are shared by name, replaced and removed, even by many at once', async () => {
  const path = '/v1/views'
  const names = Array.from({ length: 8 }, (_, i) => `team ${i}`)
  const share = (name: string, address = '/console/costs?by=label%3Ateam') =>
    service.ask(path, { body: { name, address } })
  const statuses = (await Promise.all(names.map((name) => share(name)))).map(({ status }) => status)
  expect(statuses).toEqual(names.map(() => 201))
  await share('team 0', '/console/costs')
  const { json } = await service.ask(path)
  expect(json.map(({ name }: { name: string }) => name)).toEqual(names)
  expect(json[0]).toMatchObject({ address: '/console/costs', by: expect.any(String) })
  expect((await service.ask(`${path}/${json[0].id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await service.ask(`${path}/${json[0].id}`, { method: 'DELETE' })).status).toBe(404)
  for (const address of ['https://evil.example/', '//evil.example/console', 'javascript:alert(1)'])
    expect((await share('bad', address)).status).toBe(422)
  expect((await service.ask(path)).json).toEqual(json.slice(1))
})
