import { corpusRequests } from './corpus.ts'
import { type Finding, Findings } from './findings.ts'
import { generateRequest } from './generate-request.ts'
import type { Operation } from './operations.ts'
import { createOracle } from './oracle.ts'
import { randomFor } from './random.ts'
import type { FuzzRequest } from './request.ts'
import { pickScenario, type Scenario } from './scenarios.ts'
import { type Answer, createSender, type NoAnswer } from './send.ts'
import { type Database, type FuzzFixture, startFixture } from './service-fixture.ts'
import { Tally } from './tally.ts'

export interface FuzzOptions {
  readonly database: Database
  readonly requests: number
  readonly seed: number
  /** Selects operations whose "METHOD /path" contains this text. */
  readonly route?: string | undefined
  /** Runs only the case with this index. */
  readonly only?: number | undefined
  /** An answer that takes longer is a finding. */
  readonly slowMs: number
  readonly progress?: (tally: Tally, findings: Findings) => void
  readonly report?: (finding: Finding) => void
}

export interface FuzzResult {
  readonly tally: Tally
  readonly findings: Findings
}

const connections = 8
const casesPerBatch = 200
const scenarioShare = 0.03

/** Starts a service, sends it the requests that the seed determines, and reports faults in its answers. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzResult> {
  const fixture = await startFixture(options.database)
  try {
    return await fuzzService(fixture, options)
  } finally {
    await fixture.stop()
  }
}

async function fuzzService(fixture: FuzzFixture, options: FuzzOptions): Promise<FuzzResult> {
  const { secrets, problemSchema } = fixture
  const oracle = createOracle({ secrets, problemSchema, slowMs: options.slowMs })
  let sender = createSender(fixture.service().url, connections)
  const reconnect = async () => {
    sender.close()
    await fixture.restart()
    sender = createSender(fixture.service().url, connections)
  }
  const send = (request: FuzzRequest, key = fixture.keys.get(request.caller)!) => sender.send(request, key)
  const tally = new Tally()
  const findings = new Findings({
    oracle,
    send,
    reconnect,
    isAlive: () => isAlive(fixture),
    report: options.report ?? (() => undefined),
  })
  const operations = fixture.operations.filter(({ method, path }) =>
    `${method} ${path}`.includes(options.route ?? ''),
  )
  if (operations.length === 0) throw new Error(`no operation contains ${options.route}`)

  const look = async (index: number, request: FuzzRequest, key?: string): Promise<Answer | NoAnswer> => {
    const answer = await send(request, key)
    tally.add(request, answer)
    const verdict = oracle(request, answer)
    if (verdict !== undefined) findings.suspect({ index, request, verdict, key })
    return answer
  }
  const corpus = corpusRequests(fixture.operations)
  const sendCase = async (index: number): Promise<void> => {
    // Negative indices are the cases of the corpus.
    if (index < 0) {
      await look(index, corpus[-index - 1]!)
      return
    }
    const random = randomFor(options.seed, index)
    if (options.route === undefined && random.chance(scenarioShare)) {
      const caller = random.pick(fixture.organisations)
      const scenario = pickScenario({ operations: fixture.operations, caller, index, random })
      const verdict = await play(scenario, (request, key) => look(index, request, key))
      if (verdict !== undefined) findings.add({ index, verdict })
      return
    }
    const callers = { organisations: fixture.organisations, admin: 'admin' }
    await look(
      index,
      generateRequest(pickOperation(operations, random.next()), fixture.known, callers, random),
    )
  }

  if (options.only !== undefined) {
    await sendCase(options.only)
    await findings.confirm()
    return { tally, findings }
  }
  if (options.route === undefined) {
    for (let place = 1; place <= corpus.length; place++) await sendCase(-place)
    await findings.confirm()
  }
  for (let first = 0; tally.requests < options.requests; first += casesPerBatch) {
    let next = first
    const work = async () => {
      while (next < first + casesPerBatch) await sendCase(next++)
    }
    await Promise.all(Array.from({ length: connections }, work))
    await findings.confirm()
    options.progress?.(tally, findings)
  }
  sender.close()
  return { tally, findings }
}

async function play(
  scenario: Scenario,
  look: (request: FuzzRequest, key?: string) => Promise<Answer | NoAnswer>,
) {
  let turn = scenario.next()
  while (!turn.done) turn = scenario.next(await look(turn.value.request, turn.value.key))
  return turn.value
}

/** Operations with a body get half of the requests, because they are the most complex. */
function pickOperation(operations: readonly Operation[], at: number): Operation {
  const withBody = operations.filter(({ method }) => method === 'POST' || method === 'PUT')
  const list = withBody.length > 0 && at < 0.5 ? withBody : operations
  return list[Math.floor((at < 0.5 ? at * 2 : at * 2 - 1) * list.length)]!
}

function isAlive(fixture: FuzzFixture): boolean {
  const { exitCode, signalCode } = fixture.service().child
  return exitCode === null && signalCode === null
}
