import { type JsonNode, toJsonNode } from './json-node.ts'
import type { Operation } from './operations.ts'
import type { Verdict } from './oracle.ts'
import type { Random } from './random.ts'
import { type FuzzRequest, percentEncode } from './request.ts'
import type { Answer, NoAnswer } from './send.ts'

export interface Step {
  readonly request: FuzzRequest
  /** Used instead of the caller's own key. */
  readonly key?: string
}

/** Requests that depend on earlier answers. Returns the fault that it found, if any. */
export type Scenario = Generator<Step, Verdict | undefined, Answer | NoAnswer>

interface Parts {
  readonly operations: readonly Operation[]
  readonly caller: string
  readonly index: number
  readonly random: Random
}

export function pickScenario(parts: Parts): Scenario {
  return parts.random.pick([marketplaceLife, keyLife, pagesOfUsage])(parts)
}

/** Checks that registered prices are listed page by page, only for their organisation, until they are deleted. */
function* marketplaceLife({ operations, caller, index, random }: Parts): Scenario {
  // The name is unique, because cases run at the same time and two with the same name would delete each other's entries.
  const name = `fuzz ${index} ünï/%`
  const count = 1 + random.below(6)
  const entries = Array.from({ length: count }, (_, number) => ({
    cost_per_hour: number,
    cpu_cores: 1,
    ram_gb: 1,
    instance_type: `type-${number}`,
    region: `region ${random.below(3)}`,
  }))
  const path = `/marketplace/providers/${percentEncode(name)}`
  const at = (method: string, more: Pick<Partial<FuzzRequest>, 'query'> = {}) =>
    step(operations, method, '/marketplace/providers/{name}', { caller, path, ...more })
  yield at('DELETE')
  const registered = yield step(operations, 'POST', '/marketplace/providers', {
    caller,
    body: toJsonNode({ name, entries }),
  })
  if (statusOf(registered) !== 200) return undefined
  let cursor = ''
  let found = 0
  for (let page = 0; page <= count; page++) {
    const query: [string, string][] = [
      ['limit', '2'],
      ...(cursor === '' ? [] : [['cursor', cursor] as [string, string]]),
    ]
    const answer = yield at('GET', { query })
    if (statusOf(answer) !== 200) break
    found += (jsonOf(answer) as unknown[]).length
    cursor = cursorOf(answer)
    if (cursor === '') break
  }
  yield at('GET', { query: [['cursor', `${cursor}x`]] })
  const removed = yield at('DELETE')
  if (statusOf(removed) !== 200 && statusOf(removed) !== 404) return undefined
  const after = yield at('GET')
  return statusOf(after) === 404 || found !== count
    ? undefined
    : { kind: 'wrong-state', detail: `${statusOf(after)} for a provider that was deleted` }
}

/** Checks that a key gives access according to its scopes until it is revoked, and that its successor stays valid. */
function* keyLife({ operations, random }: Parts): Scenario {
  const caller = 'admin'
  const issued = yield step(operations, 'POST', '/admin/keys', {
    caller,
    body: toJsonNode({ organisation: 'acme', name: 'victim', scopes: ['pricing:read'] }),
  })
  if (statusOf(issued) !== 201) return undefined
  const { id, key } = jsonOf(issued) as { id: string; key: string }
  const whoami = step(operations, 'GET', '/key', { caller: 'acme' }).request
  if (statusOf(yield { request: whoami, key }) !== 200) return wrong('a new key is refused')
  if (statusOf(yield { ...step(operations, 'GET', '/v1/sizing_profile', { caller: 'acme' }), key }) !== 403)
    return wrong('a key without the scope is let in')
  const rotated = yield step(operations, 'POST', '/admin/keys/{id}/rotate', {
    caller,
    path: `/admin/keys/${id}/rotate`,
    body: toJsonNode({ overlap_seconds: random.pick([0, 60]) }),
  })
  const { key: second, id: secondId } = jsonOf(rotated) as { key: string; id: string }
  if (statusOf(yield { request: whoami, key: second }) !== 200) return wrong('a rotated key is refused')
  for (const each of [id, secondId]) {
    const path = `/admin/keys/${each}/revoke`
    const revoked = yield step(operations, 'POST', '/admin/keys/{id}/revoke', { caller, path })
    // A busy database may refuse it.
    if (statusOf(revoked) !== 200) return undefined
  }
  for (const each of [key, second])
    if (statusOf(yield { request: whoami, key: each }) !== 401) return wrong('a revoked key is let in')
  return undefined
}

/** Checks that paging ends, and that modified cursors are refused. */
function* pagesOfUsage({ operations, caller, random }: Parts): Scenario {
  const path = random.pick(['/v1/namespace_recommendations', '/v1/vm_recommendations', '/v1/vm_summaries'])
  const window: [string, string][] = [
    ['start_date', new Date(Date.now() - 86_400_000).toISOString()],
    ['end_date', new Date().toISOString()],
  ]
  let cursor = ''
  for (let page = 0; page < 5; page++) {
    const more: [string, string][] = cursor === '' ? [] : [['cursor', cursor]]
    const answer = yield step(operations, 'GET', path, {
      caller,
      query: [...window, ['limit', '1'], ...more],
    })
    cursor = cursorOf(answer)
    if (cursor === '') return undefined
  }
  const tampered = random.pick([cursor.slice(1), `${cursor}AA`, cursor.toLowerCase()])
  yield step(operations, 'GET', path, { caller, query: [...window, ['cursor', tampered]] })
  return undefined
}

interface StepParts extends Partial<Omit<FuzzRequest, 'body'>> {
  readonly caller: string
  readonly body?: JsonNode
}

function step(operations: readonly Operation[], method: string, path: string, parts: StepParts): Step {
  const { body, ...rest } = parts
  const operation = operations.find((candidate) => candidate.method === method && candidate.path === path)
  return {
    request: {
      method,
      path,
      query: [],
      headers: body === undefined ? [] : [['content-type', 'application/json']],
      operation,
      ...rest,
      ...(body === undefined ? {} : { body: { json: body } }),
    },
  }
}

const wrong = (detail: string): Verdict => ({ kind: 'wrong-state', detail })

const statusOf = (answer: Answer | NoAnswer): number => ('failure' in answer ? 0 : answer.status)

function jsonOf(answer: Answer | NoAnswer): unknown {
  return 'failure' in answer ? {} : JSON.parse(answer.body.toString() || '{}')
}

const cursorOf = (answer: Answer | NoAnswer): string =>
  'failure' in answer ? '' : (/[?&]cursor=([^&>]+)/.exec(String(answer.headers.link ?? ''))?.[1] ?? '')
