import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bodies,
  entry,
  json,
  nested,
  oddUsage,
  type Parameter,
  texts,
  usual,
  values,
} from './hostile-values.ts'
import { startPostgres, type TestPostgres } from './peers/postgres.ts'
import { ask, eventually, type RunningService, startService } from './service.ts'
import { push } from './usage-cluster.ts'

type Database = 'SQLite' | 'PostgreSQL'

// The service may refuse a request, but no answer may be a 5xx, whatever the request is.

let service: RunningService
let postgres: TestPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

/** Requests that once were answered wrongly, and headers of any bytes. */
export function knownHostileInput(database: Database): void {
  describe(`on ${database}`, () => {
    startOn(database)

    describe('refused with the place of the fault', () => {
      function check(name: string, path: string, body: unknown, pointer: string | undefined) {
        test(name, async () => {
          const text = typeof body === 'string' ? body : JSON.stringify(body)
          const { status, json: problem } = await service.request(path, { body: text, headers: json })
          expect([status, problem.code]).toEqual([422, 'invalid'])
          if (pointer !== undefined)
            expect(problem.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
        })
      }
      const register = '/marketplace/providers'
      check(
        'an object as a name',
        register,
        '{"name":{"toString":null,"valueOf":null},"entries":[{}]}',
        '/name',
      )
      check('arrays as a name', register, `{"name":${nested(20_000)},"entries":[{}]}`, undefined)
      check('arrays up to the limit as a name', register, `{"name":${nested(60)},"entries":[{}]}`, '/name')
      check('a body nested without end', '/recommendations', nested(500_000), undefined)
      check(
        'more values than anyone needs',
        register,
        `{"name":"a","entries":[${'0,'.repeat(1_000_001)}0]}`,
        undefined,
      )
      const key = { organisation: 'acme', name: 'k', scopes: ['pricing:read'] }
      for (const text of ['\ud800', 'x\udc00', 'a\0b', 'a\nb', '\x7f', '\x9b']) {
        const said = JSON.stringify(text)
        check(`${said} as the name of a key`, '/admin/keys', { ...key, name: text }, '/name')
        check(`${said} as an organisation`, '/admin/keys', { ...key, organisation: text }, '/organisation')
        check(`${said} as a scope`, '/admin/keys', { ...key, scopes: [text] }, '/scopes/0')
        check(`${said} as a provider`, register, { name: text, entries: [entry] }, '/name')
        check(
          `${said} as a region`,
          register,
          { name: 'a', entries: [{ ...entry, region: text }] },
          '/entries/0/region',
        )
        const raw = (raw_pricing_data: object) => ({ name: 'a', entries: [{ ...entry, raw_pricing_data }] })
        check(`${said} in raw data`, register, raw({ a: [text] }), '/entries/0/raw_pricing_data/a/0')
        check(
          `${said} as a member of raw data`,
          register,
          raw({ a: { [text]: 1 } }),
          '/entries/0/raw_pricing_data/a',
        )
      }
      check(
        'a year beyond the calendar',
        '/admin/keys',
        { ...key, expires_at: '300000-01-01T00:00:00Z' },
        '/expires_at',
      )
      check(
        'an offset beyond the calendar',
        '/admin/keys',
        { ...key, expires_at: '9999-12-31T23:59:59-12:00' },
        '/expires_at',
      )
      check('a reserved name', register, { name: 'compute', entries: [entry] }, '/name')
    })

    test.each([
      ['x-request-id', '\x80\xff'],
      ['accept', '\xff;q=\x80'],
      ['if-none-match', '"\xff'],
      ['authorization', 'Bearer \xff'],
      ['x-api-key', '\xff\xfe'],
      ['content-type', 'application/json; charset=\xff'],
      ['content-type', ';;;'],
      ['content-encoding', '\xff'],
      ['accept-encoding', '\xff,;q'],
      ['origin', '\xff'],
      ['x-forwarded-for', '\xff, ,,'],
      ['transfer-encoding', 'identity, chunked, \xff'],
      ['content-length', '99999999999999999999'],
      ['expect', 'something'],
    ])('a header %s: %j', async (name, value) => {
      for (const path of [
        '/providers',
        '/catalogue',
        '/admin/keys',
        '/',
        '/metrics',
        '/nowhere\xff?\xff=\xff',
      ]) {
        const credentials = name === 'x-api-key' ? '' : `X-API-KEY: ${service.key}\r\n`
        const line = await firstLine(
          `GET ${path} HTTP/1.1\r\nHost: a\r\n${credentials}${name}: ${value}\r\nConnection: close\r\n\r\n`,
        )
        expect(line).toMatch(/^HTTP\/1\.1 [234]/)
      }
    })
  })
}

/** Every parameter and every member of every body, with any value. It takes minutes. */
export function everyHostileInput(database: Database): void {
  describe(`on ${database}`, () => {
    startOn(database)

    test('every parameter of every path accepts or refuses any text', async () => {
      const { json: api } = await ask(service.url, '/openapi.json')
      const bad: string[] = []
      const tasks: (() => Promise<void>)[] = []
      for (const [template, methods] of Object.entries<Record<string, { parameters?: Parameter[] }>>(
        api.paths,
      )) {
        for (const [method, { parameters = [] }] of Object.entries(methods)) {
          for (const varied of parameters) {
            for (const text of texts) {
              const value = (parameter: Parameter) =>
                parameter === varied ? text : (usual[parameter.name] ?? 'x')
              const path = parameters
                .filter((one) => one.in === 'path')
                .reduce((url, one) => url.replace(`{${one.name}}`, value(one)), template)
              const query = parameters
                .filter((one) => one.in === 'query' && (one.required || one === varied))
                .map((one) => `${one.name}=${value(one)}`)
              tasks.push(async () => {
                const send = () => rawStatus(method.toUpperCase(), `${path}?${query.join('&')}`)
                let status = await send()
                // Only so many heavy requests are answered at a time; the others are told to come again.
                for (let again = 0; status === 503 && again < 20; again++) {
                  await pause(500)
                  status = await send()
                }
                if (status >= 500) bad.push(`${status} ${method} ${path}?${query.join('&')}`.slice(0, 300))
              })
            }
          }
        }
      }
      await inTurns(tasks)
      expect(bad).toEqual([])
    })

    test('every member of every body accepts or refuses any value', async () => {
      const bad: string[] = []
      const tasks = Object.entries(bodies).flatMap(([path, body]) =>
        [...variants(body), ...values].map((text) => async () => {
          const method = path.startsWith('/admin/organisations') ? 'PUT' : 'POST'
          const { status, json: answer } = await service.request(path, { method, body: text, headers: json })
          const wrong = status >= 500 || (status === 200 && holdsBadNumber(answer))
          if (wrong) bad.push(`${status} ${path} ${text}`.slice(0, 400))
        }),
      )
      await inTurns(tasks)
      expect(bad).toEqual([])
    })
  })
}

function startOn(database: Database): void {
  beforeAll(async () => {
    const env = { CHEAPSIDE_RATE_LIMIT: '0', CHEAPSIDE_ADDRESS_LIMIT: '0' }
    const url = database === 'PostgreSQL' ? { DATABASE_URL: await postgres.createDatabase() } : {}
    service = await startService({ env: { ...env, ...url } })
    await eventually(async () => (await ask(service.url, '/readyz')).status === 200)
    expect((await push(service, oddUsage())).status).toBe(204)
    await eventually(async () => (await service.request('/v1/vm_summaries')).json.length > 0)
  })
  afterAll(() => service?.stop())
}

/** The body as it is, then with each member in turn replaced by each hostile value or left out. */
function variants(body: Record<string, unknown>): string[] {
  const marked = '@@'
  const texts = [JSON.stringify(body)]
  const visit = (node: Record<string, unknown>) => {
    for (const name of Object.keys(node)) {
      const kept = node[name]
      node[name] = marked
      const text = JSON.stringify(body)
      for (const value of values) texts.push(text.replace(`"${marked}"`, () => value))
      delete node[name]
      texts.push(JSON.stringify(body))
      node[name] = kept
      if (typeof kept === 'object' && kept !== null) visit(kept as Record<string, unknown>)
    }
  }
  visit(structuredClone(body))
  return texts
}

/** A price that is not a number would be written as null. */
function holdsBadNumber(answer: unknown): boolean {
  return /"(cost_per_hour|\w+_cost_per_hour|amount_per_\w+|percentage)":null/.test(JSON.stringify(answer))
}

async function inTurns(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const rest = tasks.values()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const task of rest) await task()
    }),
  )
}

/** Unlike fetch, it sends the path unchanged. */
function rawStatus(method: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      service.url,
      { method, path, headers: { 'x-api-key': service.key } },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode!))
      },
    )
    request.on('error', reject)
    request.end()
  })
}

function firstLine(message: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () =>
      socket.write(message, 'latin1'),
    )
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received.split('\r\n')[0]!))
    socket.on('error', () => undefined)
  })
}
