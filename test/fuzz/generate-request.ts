import { type Generation, generateJson, type Mode } from './generate-json.ts'
import { hostileText } from './hostile-values.ts'
import { writeJson } from './json-node.ts'
import type { KnownValues } from './known-values.ts'
import { mutateRequest } from './mutate-request.ts'
import type { Operation, Parameter } from './operations.ts'
import type { Random } from './random.ts'
import { remoteWritePaths, remoteWriteRequest } from './remote-write-body.ts'
import { type FuzzRequest, percentEncode } from './request.ts'

export interface Callers {
  readonly organisations: readonly string[]
  readonly admin: string
}

const modes: readonly Mode[] = [
  'valid',
  'valid',
  'valid',
  'boundary',
  'boundary',
  'confused',
  'confused',
  'hostile',
  'hostile',
  'hostile',
]
const mutatedShare = 0.2
const strangerShare = 0.03

/** A request for this operation that follows or violates its schemas. */
export function generateRequest(
  operation: Operation,
  known: KnownValues,
  callers: Callers,
  random: Random,
): FuzzRequest {
  const how: Generation = { mode: random.pick(modes), random, known, offer: random.pick(known.offers) }
  const caller = pickCaller(operation, callers, random)
  const request = remoteWritePaths.has(operation.path)
    ? remoteWriteRequest(operation, caller, how)
    : {
        method: operation.method,
        path: pathOf(operation, how),
        query: queryOf(operation, how),
        headers: [
          ...(operation.body === undefined ? [] : [['content-type', 'application/json'] as const]),
          ...(operation.accept === undefined ? [] : [['accept', operation.accept] as const]),
        ],
        body: operation.body === undefined ? undefined : { json: generateJson(operation.body, '', how) },
        caller,
        operation,
      }
  return random.chance(mutatedShare) ? mutateRequest(request, random) : request
}

function pickCaller({ scope }: Operation, { organisations, admin }: Callers, random: Random): string {
  if (random.chance(strangerShare)) return random.pick(['', 'invalid', ...organisations, admin])
  if (scope === 'none') return ''
  return scope === 'admin' ? admin : random.pick(organisations)
}

function pathOf({ path, parameters }: Operation, how: Generation): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((candidate) => candidate.name === name)
    const text = parameter === undefined ? 'x' : parameterText(parameter, how)
    // A client library would remove "." and ".." from the path.
    return percentEncode(text.slice(0, 3_000)).replace(/^\.{1,2}$/, '%2e') || 'x'
  })
}

function queryOf({ parameters }: Operation, how: Generation): [string, string][] {
  const { mode, random } = how
  const pairs: [string, string][] = []
  for (const parameter of parameters.filter((candidate) => candidate.in === 'query')) {
    const isWindow = /^(start|end)_date$/.test(parameter.name)
    const isGiven =
      parameter.required || isWindow ? mode === 'valid' || random.chance(0.95) : random.chance(0.3)
    if (!isGiven) continue
    pairs.push([parameter.name, percentEncode(parameterText(parameter, how).slice(0, 9_000))])
    if (mode === 'hostile' && random.chance(0.05))
      pairs.push([parameter.name, percentEncode(hostileText(random).slice(0, 2_000))])
  }
  if (mode === 'hostile' && random.chance(0.1))
    pairs.push([
      random.pick(['__proto__', 'constructor', '', 'limit[]', 'a%00']),
      random.pick(['', '1', 'x']),
    ])
  return pairs
}

/** Parameters are text; a number is written as in JSON. */
function parameterText({ schema, name }: Parameter, how: Generation): string {
  const written = writeJson(generateJson(schema, name, how))
  return written.startsWith('"') ? String(JSON.parse(written)) : written.slice(0, 9_000)
}
