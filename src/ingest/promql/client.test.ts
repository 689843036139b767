import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { PromqlClient } from './client.ts'

test.each([
  [403, '{"error":{"code":403,"status":"PERMISSION_DENIED"}}', 'HTTP 403: {"error":{"code":403,'],
  [400, '{"status":"error","errorType":"bad_data","error":"no such metric"}', 'HTTP 400: no such metric'],
  [404, 'null', 'HTTP 404: null'],
  [404, '<html>\r\n\u001b[31m<p>not here', 'HTTP 404: <html> [31m<p>not here'],
])('%i %j is reported in one line', async (status, body, message) => {
  const server = createServer((_, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const asked = new PromqlClient({ url }).ask('/api/v1/query', {})
  await expect(asked).rejects.toMatchObject({
    name: 'EngineRefused',
    message: expect.stringContaining(message),
  })
  server.close()
})
