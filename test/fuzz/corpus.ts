import type { JsonNode } from './json-node.ts'
import { toJsonNode } from './json-node.ts'
import type { Operation } from './operations.ts'
import type { FuzzRequest } from './request.ts'

/** Requests that were once answered wrongly or not at all. They are sent first. */
export function corpusRequests(operations: readonly Operation[]): FuzzRequest[] {
  const ask = (method: string, path: string, more: Partial<FuzzRequest> = {}): FuzzRequest => {
    const operation = operations.find(
      (candidate) => candidate.method === method && patternOf(candidate.path).test(path),
    )
    const caller = operation?.scope === 'admin' ? 'admin' : 'acme'
    return { method, path, query: [], headers: [], caller, operation, ...more }
  }
  const send = (method: string, path: string, json: JsonNode): FuzzRequest =>
    ask(method, path, { headers: [['content-type', 'application/json']], body: { json } })
  const message = (text: string): FuzzRequest =>
    ask('GET', '/key', { operation: undefined, malformed: true, message: Buffer.from(text, 'latin1') })
  const window: [string, string][] = [
    ['start_date', '2026-01-01T00:00:00Z'],
    ['end_date', '2026-01-02T00:00:00Z'],
  ]
  return [
    send('POST', '/marketplace/providers', toJsonNode({ name: unprintable, entries: [{}] })),
    send('POST', '/marketplace/providers', {
      members: [
        ['name', { raw: '['.repeat(20_000) + ']'.repeat(20_000) }],
        ['entries', { items: [toJsonNode(entry)] }],
      ],
    }),
    send('PUT', `/admin/organisations/9${encodeURIComponent('é').repeat(51)}/cost_sharing`, toJsonNode({})),
    ...['\ud800', 'a\u0000b', '\u0007'].flatMap((name) => [
      send('POST', '/admin/keys', toJsonNode({ organisation: 'acme', name, scopes: ['pricing:read'] })),
      send('POST', '/marketplace/providers', toJsonNode({ name, entries: [entry] })),
      send(
        'POST',
        '/marketplace/providers',
        toJsonNode({ name: 'fine', entries: [{ ...entry, region: name }] }),
      ),
      send(
        'POST',
        '/marketplace/providers',
        toJsonNode({ name: 'fine', entries: [{ ...entry, raw_pricing_data: { [name]: name } }] }),
      ),
    ]),
    ...['compute', 'disks', 'databases', 'models'].map((name) =>
      ask('DELETE', `/marketplace/providers/${name}`),
    ),
    ask('GET', '/marketplace/providers/%00', { query: [['cursor', 'AA']] }),
    ask('GET', '/v1/cluster_recommendations', { query: [['start_date', '0000-01-01T00:00:00Z']] }),
    ask('GET', '/v1/namespace_recommendations', {
      query: [
        ['start_date', '0000-01-01T00:00:00Z'],
        ['end_date', '9999-12-31T00:00:00Z'],
      ],
    }),
    ask('GET', `/v1/namespace_recommendations/${'c'.repeat(1_000)}/shop/manifests`, { query: window }),
    ask('GET', `/admin/organisations/${'o'.repeat(1_000)}/sizing_profile`),
    ask('POST', '/admin/keys/none/revoke', { body: { bytes: Buffer.from('{') } }),
    ask('DELETE', '/marketplace/providers/none', { body: { bytes: Buffer.from([0xff]) } }),
    message('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'),
    message('GET /key HTTP/1.1\r\n\r\n'),
    message('GET /key HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n{}'),
    message('GET /key HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n'),
  ]
}

const unprintable = { toString: null, valueOf: null }
const entry = { cost_per_hour: 1, cpu_cores: 1, ram_gb: 1, instance_type: 't', region: 'r' }

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
