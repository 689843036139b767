import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Load {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Responses other than 2xx, and broken connections. */
  readonly failures: number
}

/** Prints a message and exits if wrk is not installed. */
export function needWrk(): void {
  if (spawnSync('wrk', ['-v']).error === undefined) return
  console.error('this benchmark needs wrk (on Debian: apt-get install wrk)')
  process.exit(1)
}

/** Sends requests to a URL with wrk for some seconds over a few connections. */
export async function drive(
  url: string,
  { seconds = 5, connections = 16, headers = {}, method = 'GET', bodies = [''] }: Drive = {},
): Promise<Load> {
  const script = join(tmpdir(), `cheapside-wrk-${process.pid}.lua`)
  const lines = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  )
  writeFileSync(
    script,
    [
      `wrk.method = ${JSON.stringify(method)}`,
      ...lines,
      `local bodies = {${bodies.map(luaText).join(',')}}`,
      inTurn,
      report,
    ].join('\n'),
  )
  const child = spawn('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url])
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  await new Promise((resolve) => child.on('close', resolve))
  const result = /RESULT (.*)/.exec(out)?.[1]
  if (result === undefined) throw new Error(`wrk said: ${out}`)
  return JSON.parse(result)
}

export interface Drive {
  seconds?: number
  connections?: number
  headers?: Record<string, string>
  method?: string
  /** Sent in turn. */
  bodies?: readonly string[]
}

/** Returns the user and system time of a process so far. A tick is 10 ms. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const inTurn = `
local requests, next = {}, 0
init = function()
  for i, body in ipairs(bodies) do requests[i] = wrk.format(nil, nil, nil, body) end
end
request = function()
  next = next % #requests + 1
  return requests[next]
end`

const report = `
done = function(summary, latency, requests)
  local e = summary.errors
  io.write(string.format('RESULT {"requestsPerSecond":%.1f,"p50Ms":%.3f,"p99Ms":%.3f,"failures":%d}\\n',
    summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    e.connect + e.read + e.write + e.status + e.timeout))
end`

function luaText(text: string): string {
  return `[==[${text}]==]`
}
