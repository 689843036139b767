import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { keyPattern, scopes } from '../src/domain/key.ts'
import { RecommendationBody } from '../src/pricing/request/schema.ts'
import { prepareKey } from '../src/server/access/issue-key.ts'
import { KeyCache } from '../src/server/access/key-cache.ts'
import { createLog } from '../src/server/log.ts'
import { HttpMetrics } from '../src/server/metrics.ts'
import { Readiness } from '../src/server/readiness.ts'
import { jsonContentType } from '../src/server/requests/negotiation.ts'
import { TokenBuckets } from '../src/server/requests/rate-limit.ts'
import { buildServer } from '../src/server/server.ts'
import type { Store } from '../src/store/port.ts'

// Cheapside's own HTTP server with a route that returns in turn the answers read from standard input. Argument: {"key":
// "..."}

const { key } = JSON.parse(process.argv[2]!)
const [, id, secret] = keyPattern.exec(key)!
const { record } = prepareKey(
  Date.now(),
  { organisation: 'default', name: 'bench', scopes },
  { id: id!, secret: secret! },
)
const answers = ((await json(process.stdin)) as string[]).map((text) => Buffer.from(text))
let next = 0
const ring = new KeyCache(
  { keys: { all: async () => [record] } as Partial<Store['keys']> as Store['keys'] },
  Date.now,
)
await ring.load()
const readiness = new Readiness()
readiness.started()
const { server } = buildServer({
  readiness,
  metrics: new HttpMetrics(),
  log: createLog('info'),
  corsOrigins: [],
  trustedProxies: [],
  bounds: { requestSeconds: 30, writeSeconds: 30, connections: 0, addressConnections: 0 },
  authenticator: {
    authenticate: (presented) => ring.authenticate(presented),
    authenticateSession: () => undefined,
    expiredAt: () => undefined,
    keysAreFresh: () => true,
    keyBuckets: new TokenBuckets(0, 1),
    addressBuckets: new TokenBuckets(0, 1),
    openBuckets: new TokenBuckets(0, 1),
  },
  routes: [
    (routes) =>
      routes.post('/recommendations', {
        config: { scope: 'pricing:read' },
        schema: { body: RecommendationBody },
        handler: (_, reply) =>
          reply.header('content-type', jsonContentType).send(answers[next++ % answers.length]),
      }),
  ],
})
await server.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.server.address() as AddressInfo).port}` }))
