/**
 * Measures what observing a host costs: CPU per sample and memory of the agent, next to the process exporter and the
 * node exporter, on this host with 500 additional processes. `node bench/agent.ts [measurements]`. Downloads the exporters'
 * Debian packages if they are not installed, and reports it if that fails.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const measurements = Number(process.argv[2] ?? 60)
const warmUp = 15
const crowd = 500
const directory = mkdtempSync(join(tmpdir(), 'cheapside-agent-bench-'))
const children: ChildProcess[] = []

interface Cost {
  readonly cpuMs: number
  readonly rssMib: number
  readonly ownMib: number
  readonly answerKib: number
}

try {
  await startCrowd()
  console.log(
    `${crowd} processes of 50 names beside ${countProcesses() - crowd} others; ${measurements} measurements each.`,
  )
  const rows: [string, Cost | undefined][] = [
    ['cheapside agent', await measureAgent()],
    ['process exporter, as it comes', await measureExporter('prometheus-process-exporter', exporterConfig())],
    [
      'process exporter, no smaps, no threads',
      await measureExporter('prometheus-process-exporter', [
        ...exporterConfig(),
        '-gather-smaps=false',
        '-threads=false',
      ]),
    ],
    ['node exporter', await measureExporter('prometheus-node-exporter', [])],
  ]
  for (const [name, cost] of rows)
    console.log(
      cost === undefined
        ? `${name.padEnd(40)} not found, and its package could not be fetched`
        : `${name.padEnd(40)} ${cost.cpuMs.toFixed(1).padStart(7)} ms CPU a sample  ${cost.rssMib.toFixed(0).padStart(4)} MiB resident, ${cost.ownMib.toFixed(0).padStart(3)} its own  ${cost.answerKib.toFixed(0).padStart(5)} KiB sent`,
    )
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
}

/** Starts fifty names with ten sleeping processes each, as on a host where most services wait. */
async function startCrowd(): Promise<void> {
  for (let name = 0; name < 50; name++) symlinkSync('/bin/sleep', join(directory, `service-${name}`))
  for (let index = 0; index < crowd; index++)
    children.push(spawn(join(directory, `service-${index % 50}`), ['3600'], { stdio: 'ignore' }))
  await sleep(1000)
}

/**
 * Measures every second and reads the memory every fourth time, in the ratio of the defaults of 15 seconds and a minute.
 */
async function measureAgent(): Promise<Cost> {
  let requests = 0
  let bytes = 0
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    request.on('end', () => {
      requests++
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const key = join(directory, 'key')
  writeFileSync(key, 'key')
  const source = join(import.meta.dirname, '../src/agent')
  // As in the command, compiled code is cached, so that a second start needs no compiler in memory.
  const script = (start: string) => `
    import module from 'node:module'
    module.enableCompileCache(${JSON.stringify(join(directory, 'compiled'))})
    const { runAgent } = await import(${JSON.stringify(join(source, 'run.ts'))})
    const { remoteWrite } = await import(${JSON.stringify(join(source, 'send/remote-write.ts'))})
    module.flushCompileCache()
    ${start}`
  execFileSync(process.execPath, ['--input-type=module', '--eval', script('')])
  const start = `await runAgent({ vm: 'bench', job: 'bench', intervalSeconds: 1, pssSeconds: 4, proc: '/proc', cgroupRoot: '/sys/fs/cgroup',
      spool: { directory: ${JSON.stringify(join(directory, 'spool'))}, maxBytes: 1 << 26 }, facts: { given: {}, offline: true } },
      new AbortController().signal,
      { log: () => {}, deliver: remoteWrite({ url: new URL('http://127.0.0.1:${(server.address() as AddressInfo).port}/'),
        keyFile: ${JSON.stringify(key)}, userAgent: 'bench' }) })`
  const flags = ['--max-semi-space-size=1', '--input-type=module']
  const child = spawn(process.execPath, [...flags, '--eval', script(start)], { stdio: 'inherit' })
  children.push(child)
  const until = async (count: number) => {
    while (requests < count) await sleep(20)
  }
  await until(warmUp)
  const [before, bytesBefore] = [cpuMs(child.pid!), bytes]
  await until(warmUp + measurements)
  const cost = {
    cpuMs: (cpuMs(child.pid!) - before) / measurements,
    ...memoryOf(child.pid!),
    answerKib: (bytes - bytesBefore) / measurements / 1024,
  }
  child.kill('SIGKILL')
  server.close()
  server.closeAllConnections()
  return cost
}

async function measureExporter(name: string, flags: string[]): Promise<Cost | undefined> {
  const program = findProgram(name)
  if (program === undefined) return undefined
  const port = await freePort()
  const child = spawn(program, [`--web.listen-address=127.0.0.1:${port}`, ...flags], { stdio: 'ignore' })
  children.push(child)
  const scrape = async () => (await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).length
  for (;;) {
    const ready = await scrape().catch(() => 0)
    if (ready > 0) break
    await sleep(100)
  }
  let bytes = 0
  for (let measurement = 0; measurement < warmUp; measurement++) await scrape()
  const before = cpuMs(child.pid!)
  for (let measurement = 0; measurement < measurements; measurement++) {
    bytes += await scrape()
    await sleep(200)
  }
  const cost = {
    cpuMs: (cpuMs(child.pid!) - before) / measurements,
    ...memoryOf(child.pid!),
    answerKib: bytes / measurements / 1024,
  }
  child.kill('SIGKILL')
  return cost
}

function exporterConfig(): string[] {
  const path = join(directory, 'process-exporter.yml')
  writeFileSync(path, "process_names:\n  - name: '{{.Comm}}'\n    cmdline:\n    - '.+'\n")
  return [`-config.path=${path}`]
}

function findProgram(name: string): string | undefined {
  const unpacked = join(tmpdir(), 'cheapside-agent-bench-packages')
  const places = [...(process.env.PATH ?? '').split(':'), join(unpacked, 'usr/bin')]
  const find = () => places.map((place) => join(place, name)).find((path) => existsSync(path))
  if (find() === undefined)
    try {
      mkdirSync(unpacked, { recursive: true })
      execFileSync('apt-get', ['download', name], { cwd: unpacked, stdio: 'ignore' })
      const file = readdirSync(unpacked).find((entry) => entry.startsWith(`${name}_`))!
      execFileSync('dpkg', ['-x', file, '.'], { cwd: unpacked, stdio: 'ignore' })
    } catch {}
  return find()
}

function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/**
 * Returns the resident memory and the anonymous part of it. The rest are pages of the program's file, which other Node
 * programs share.
 */
function memoryOf(pid: number): { rssMib: number; ownMib: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)![1]) / 1024
  return { rssMib: mib('VmRSS'), ownMib: mib('RssAnon') }
}

function countProcesses(): number {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).length
}

async function freePort(): Promise<number> {
  const socket = createSocket()
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve))
  const { port } = socket.address() as AddressInfo
  await new Promise((resolve) => socket.close(resolve))
  return port
}
