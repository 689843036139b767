import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'

// Measures `cheapside review` on a plan of 5,000 resources, in seconds and MiB, as a pipeline runs it: a process that
// starts, loads the shipped catalogue, reviews and ends. Compares it with a plan of one resource, and with Node parsing
// the same JSON.
//   node bench/review.ts [--resources 5000] [--runs 5]

const option = (name: string, usual: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? usual : Number(process.argv[at + 1])
}
const resources = option('resources', 5000)
const runs = option('runs', 5)
const directory = mkdtempSync(join(tmpdir(), 'cheapside-bench-review-'))
const cli = join(import.meta.dirname, '../bin/cheapside.js')
const reportMemory =
  'data:text/javascript,process.on("exit",()=>process.stderr.write("USED "+JSON.stringify(process.resourceUsage())))'

try {
  const [large, one] = [file('large.json', resources), file('one.json', 1)]
  console.log(`${resources} resources, ${mib(statSync(large).size)} MiB of JSON, median of ${runs} runs`)
  const parse = `JSON.parse(require('node:fs').readFileSync(${JSON.stringify(large)}, 'utf8'))`
  const rows = [
    { name: 'review', ...(await median([cli, 'review', large, '--format', 'json'])) },
    { name: 'review without suggestions', ...(await median([cli, 'review', large, '--suggestions', '0'])) },
    { name: 'review of one resource', ...(await median([cli, 'review', one, '--format', 'json'])) },
    { name: 'Node reads the same JSON', ...(await median(['-e', parse])) },
  ]
  for (const { name, seconds, cpuSeconds, peakMib } of rows)
    console.log(
      `${name.padEnd(28)} ${seconds.toFixed(2)} s  ${cpuSeconds.toFixed(2)} s of CPU  ${peakMib.toFixed(0)} MiB`,
    )
  const [review, , single, read] = rows
  if (review === undefined || single === undefined || read === undefined) throw new Error('nothing measured')
  const each = ((review.cpuSeconds - single.cpuSeconds) / resources) * 1e6
  console.log(`${each.toFixed(0)} microseconds of CPU for each resource beyond the first`)
  console.log(
    `ratio to reading the JSON alone: ${(review.cpuSeconds / read.cpuSeconds).toFixed(1)} in CPU, ${(review.peakMib / read.peakMib).toFixed(1)} in memory`,
  )
} finally {
  rmSync(directory, { recursive: true })
}

interface Row {
  readonly seconds: number
  /** CPU time is not affected by other load on the machine. */
  readonly cpuSeconds: number
  readonly peakMib: number
}

async function median(args: readonly string[]): Promise<Row> {
  const rows: Row[] = []
  for (let i = 0; i < runs; i++) rows.push(await measure(args))
  const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!
  return {
    seconds: middle(rows.map(({ seconds }) => seconds)),
    cpuSeconds: middle(rows.map(({ cpuSeconds }) => cpuSeconds)),
    peakMib: middle(rows.map(({ peakMib }) => peakMib)),
  }
}

function measure(args: readonly string[]): Promise<Row> {
  const start = performance.now()
  const child = spawn(process.execPath, ['--import', reportMemory, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(said))
      const seconds = (performance.now() - start) / 1000
      const used = JSON.parse(said.slice(said.indexOf('USED ') + 5)) as NodeJS.ResourceUsage
      const cpuSeconds = (used.userCPUTime + used.systemCPUTime) / 1e6
      resolve({ seconds, cpuSeconds, peakMib: used.maxRSS / 1024 })
    })
  })
}

/**
 * A typical plan: a third are machines of twenty kinds, some are groups by template, the rest are networks, disks and
 * unknown types.
 */
function file(name: string, count: number): string {
  const changes = Array.from({ length: count }, (_, i) => resource(i))
  const configuration = {
    provider_config: { aws: { name: 'aws', expressions: { region: { constant_value: 'us-east-1' } } } },
    root_module: {
      resources: [
        {
          type: 'aws_autoscaling_group',
          name: 'g',
          provider_config_key: 'aws',
          expressions: { launch_template: [{ id: { references: ['aws_launch_template.t'] } }] },
        },
      ],
    },
  }
  const path = join(directory, name)
  writeFileSync(path, JSON.stringify({ format_version: '1.2', resource_changes: changes, configuration }))
  return path
}

function resource(i: number): object {
  const types = ['m5', 'c5', 'r5', 'm6i', 'c6i'].flatMap((family) =>
    ['large', 'xlarge', '2xlarge', '4xlarge'].map((size) => `${family}.${size}`),
  )
  const tags = Object.fromEntries(Array.from({ length: 8 }, (_, tag) => [`tag-${tag}`, `value ${i}-${tag}`]))
  const kinds = [
    { type: 'aws_instance', name: 'web', after: { instance_type: types[i % types.length], tags } },
    { type: 'aws_launch_template', name: 't', after: { instance_type: types[i % types.length], tags } },
    {
      type: 'aws_autoscaling_group',
      name: 'g',
      after: { desired_capacity: 3, min_size: 1, max_size: 9, tags },
    },
    { type: 'aws_subnet', name: 's', after: { cidr_block: '10.0.0.0/24', tags } },
    { type: 'aws_instance', name: 'db', after: { instance_type: types[(i * 7) % types.length], tags } },
    { type: 'aws_ebs_volume', name: 'v', after: { size: 100, tags } },
    { type: 'aws_something_new', name: 'n', after: { tags } },
  ]
  const { type, name, after } = kinds[i % kinds.length]!
  const index = Math.floor(i / kinds.length)
  return {
    address: `${type}.${name}[${index}]`,
    mode: 'managed',
    type,
    name,
    index,
    change: { actions: ['create'], before: null, after, after_unknown: { id: true } },
  }
}

function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1)
}
