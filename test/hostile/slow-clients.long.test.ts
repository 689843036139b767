import { afterAll, beforeAll } from 'vitest'
import { testOnLinux as test } from '../peers/test-with.ts'
import { type AttackedService, startAttackedService } from './harness.ts'
import { RawClient, requestText } from './raw-client.ts'
import { closedUnread } from './unread.case.ts'

let attacked: AttackedService
beforeAll(async () => {
  attacked = await startAttackedService({ CHEAPSIDE_OPEN_LIMIT: '0' })
})
afterAll(() => attacked?.end())

test('thirty requests to every route, of clients that never read', async () => {
  const clients = attacked.targets.map(({ method, path }) =>
    new RawClient(attacked.service.url, { unread: true }).send(
      requestText(method, path, { 'X-API-KEY': attacked.hostileKey }).repeat(30),
    ),
  )
  await attacked.othersAreServed()
  await closedUnread(clients)
  await attacked.othersAreServed()
})
