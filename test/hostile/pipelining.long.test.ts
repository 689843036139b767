import { afterAll, beforeAll } from 'vitest'
import { testOnLinux as test } from '../peers/test-with.ts'
import { type AttackedService, startAttackedService } from './harness.ts'
import { pipelineWithoutReading, RawClient, requestText } from './raw-client.ts'
import { stayUnread } from './unread.case.ts'

let attacked: AttackedService
beforeAll(async () => {
  attacked = await startAttackedService({ CHEAPSIDE_OPEN_LIMIT: '0' })
})
afterAll(() => attacked?.end())

test.each([
  ['/openapi.json', 10],
  ['/metrics', 10],
  ['/docs', 50],
])('1,700 requests in one write, and nothing read: %s over %i connections', (path, connections) =>
  stayUnread(attacked, () => pipelineWithoutReading(attacked.service.url, path, connections)),
)

test('700 requests in one write to every route, with a key, and nothing read', () =>
  stayUnread(attacked, () =>
    attacked.targets.map(({ method, path }) =>
      new RawClient(attacked.service.url, { unread: true }).send(
        requestText(method, path, { 'X-API-KEY': attacked.hostileKey }).repeat(700),
      ),
    ),
  ))
