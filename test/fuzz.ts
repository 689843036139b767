import { parseArgs } from 'node:util'
import type { Finding } from './fuzz/findings.ts'
import { asCommand } from './fuzz/request.ts'
import { runFuzz } from './fuzz/run.ts'
import type { Database } from './fuzz/service-fixture.ts'

/**
 * Sends the service valid and hostile requests that are generated from its OpenAPI document. It reports every 5xx, every
 * connection that ended without an answer, every answer that took more than two seconds or is not as documented, and
 * everything that one organisation sees of another, each with the smallest request that shows it.
 *   node test/fuzz.ts --requests 100000 --seed 1 --database both
 *   node test/fuzz.ts --seed 1 --only=4711 --database sqlite    one case of that run again
 */
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    database: { type: 'string', default: 'both' },
    route: { type: 'string' },
    only: { type: 'string' },
  },
})
const seed = Number(values.seed)
const databases = (values.database === 'both' ? ['sqlite', 'postgres'] : [values.database]) as Database[]
const slowMs = 2_000
const progressEveryMs = 5_000

for (const database of databases) {
  console.log(
    `${database}: seed ${seed}, ${values.only === undefined ? `${values.requests} requests` : `case ${values.only}`}`,
  )
  const started = performance.now()
  let lastProgress = started
  const { tally, findings } = await runFuzz({
    database,
    seed,
    slowMs,
    requests: Number(values.requests),
    route: values.route,
    only: values.only === undefined ? undefined : Number(values.only),
    report: (finding) => console.log(`\n${describe(finding, database)}\n`),
    progress: (tally, found) => {
      if (performance.now() - lastProgress < progressEveryMs) return
      lastProgress = performance.now()
      const perSecond = tally.requests / ((performance.now() - started) / 1_000)
      console.error(
        `${database}: ${tally.requests} requests, ${perSecond.toFixed(0)}/s, ${found.list.length} findings`,
      )
    },
  })
  console.log(tally.describe())
  for (const { count, verdict } of findings.list)
    console.log(`${count} times ${verdict.kind}: ${verdict.detail}`)
  if (findings.slowOnce > 0) console.log(`${findings.slowOnce} slow once, and not when asked again alone`)
  const seconds = (performance.now() - started) / 1_000
  console.log(`${database}: ${findings.list.length} findings in ${seconds.toFixed(0)} s, seed ${seed}`)
  if (findings.list.length > 0) process.exitCode = 1
}

function describe({ index, verdict, request, repeats }: Finding, database: Database): string {
  return [
    `${verdict.kind}${repeats ? '' : ' (not when asked again alone)'}: ${verdict.detail}`,
    `  case ${index}: node test/fuzz.ts --database ${database} --seed ${seed} --only=${index}`,
    ...(request === undefined
      ? []
      : [`  as ${request.caller || 'nobody'}: ${asCommand(request, 'x-api-key')}`]),
  ].join('\n')
}
