import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { scopes } from '../../src/domain/key.ts'
import type { OpenApiDocument, Operation } from '../../src/server/openapi.ts'
import { ask, type RunningService, startService } from '../service.ts'

/** Limits of V8's heap and of the resident memory of the process during an attack. */
const heapMib = 512
const residentMib = 600

/** A route of the API document. */
export interface Target {
  readonly method: string
  /** The path, with a value for each parameter. */
  readonly path: string
  readonly takesBody: boolean
}

/** A service with a memory limit, an organisation that attacks it, and another one that behaves well. */
export interface AttackedService {
  readonly service: RunningService
  /** A key with every scope. */
  readonly hostileKey: string
  readonly targets: readonly Target[]
  /**
   * Resolves when the requests of the well-behaved organisation, sent from now on, were answered. Throws if an answer is
   * wrong.
   */
  othersAreServed(): Promise<void>
  /** Stops the service. The process must still be alive, and must never have used more memory than allowed. */
  end(): Promise<void>
}

export async function startAttackedService(env: Record<string, string> = {}): Promise<AttackedService> {
  const service = await startService({
    env: {
      NODE_OPTIONS: `--max-old-space-size=${heapMib}`,
      CHEAPSIDE_RATE_LIMIT: '0',
      CHEAPSIDE_REQUEST_SECONDS: '4',
      CHEAPSIDE_WRITE_SECONDS: '4',
      ...env,
    },
  })
  const issue = async (organisation: string) =>
    (
      await service.request('/admin/keys', {
        body: { organisation, name: 'k', scopes },
      })
    ).json.key as string
  const hostileKey = await issue('hostile')
  const key = await issue('well-behaved')
  const document: OpenApiDocument = (await ask(service.url, '/openapi.json')).json
  const questions = wellBehavedQuestions(key)
  const expected: unknown[] = []
  for (const question of questions) {
    const { status, json } = await question(service.url)
    expect(status).toBe(200)
    expected.push(lasting(json))
  }
  return {
    service,
    hostileKey,
    targets: [
      ...Object.entries(document.paths).flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, operation]) => targetOf(path, method, operation)),
      ),
      ...undocumented.map((path) => ({ method: 'GET', path, takesBody: false })),
    ],
    othersAreServed: async () => {
      for (const [index, question] of questions.entries()) {
        const { status, json } = await question(service.url)
        expect([status, lasting(json)]).toEqual([200, expected[index]])
      }
    },
    end: async () => {
      expect(service.child.exitCode, service.output.err).toBeNull()
      expect(peakMib(service.child.pid!)).toBeLessThan(residentMib)
      await service.kill()
    },
  }
}

function wellBehavedQuestions(key: string): ((url: string) => ReturnType<typeof ask>)[] {
  const provider = {
    name: 'own-cloud',
    entries: [{ cost_per_hour: 0.01, cpu_cores: 4, ram_gb: 8, instance_type: 'own', region: 'here' }],
  }
  return [
    (url) => ask(url, '/healthz'),
    (url) => ask(url, '/key', { key }),
    (url) => ask(url, '/marketplace/providers', { key, body: provider }),
    (url) => ask(url, '/marketplace/providers', { key }),
    (url) => ask(url, '/providers', { key }),
    (url) => ask(url, '/recommendations', { key, body: recommendationQuestion }),
    (url) => ask(url, '/v1/sizing_profile', { key }),
  ]
}

/** The members that do not change between two requests. */
function lasting({ last_used_at, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest
}

const recommendationQuestion = {
  availability_zone: '',
  instance_type: 'm5.large',
  operating_system: 'Linux',
  predicates: { availability_zones: [], instance_types: [], providers: [], regions: [], usage_types: [] },
  provider: 'aws',
  region: 'us-east-1',
  service: '',
  usage: { cpu_cores: 1, ram_gb: 3 },
  usage_type: 'ondemand',
  vm: { cpu_cores: 2, ram_gb: 8 },
}

/** Pages, documents, and a path that does not exist. */
const undocumented = ['/openapi.json', '/docs', '/docs.css', '/', '/console', '/nowhere']

function targetOf(path: string, method: string, operation: Operation): Target {
  return {
    method: method.toUpperCase(),
    path: path.replace(/\{\w+\}/g, 'x'),
    takesBody: method !== 'get' && (operation.requestBody !== undefined || path === '/api/v1/write'),
  }
}

function peakMib(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
