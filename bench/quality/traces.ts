import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Samples of one resource: [series][day][sample of the day], NaN if missing. */
export interface Samples {
  readonly values: Float32Array
}

export interface TraceSet {
  readonly name: string
  /** Identifies the samples of the whole set; this may be a part of it. */
  readonly mark: string
  readonly series: number
  readonly days: number
  readonly samplesPerDay: number
  readonly cpu: Samples
  readonly memory: Samples | null
}

/** Reads every `<set>.json` of a directory, by name. */
export function readTraceSets(directory: string): TraceSet[] {
  if (!existsSync(directory)) return []
  const names = readdirSync(directory).filter((file) => file.endsWith('.json'))
  return names.sort().flatMap((file) => {
    const set = readTraceSet(directory, file.slice(0, -'.json'.length))
    return set === null ? [] : [set]
  })
}

export const daySamples = (set: TraceSet, samples: Samples, series: number, day: number): Float32Array => {
  const start = (series * set.days + day) * set.samplesPerDay
  return samples.values.subarray(start, start + set.samplesPerDay)
}

/** Selects every n-th series, starting with `first`. */
export function sampledSet(set: TraceSet, every: number, first: number): TraceSet {
  const size = set.days * set.samplesPerDay
  const kept = Array.from({ length: set.series }, (_, i) => i).filter((i) => i % every === first)
  const pick = ({ values }: Samples): Samples => {
    const picked = new Float32Array(kept.length * size)
    kept.forEach((series, i) => {
      picked.set(values.subarray(series * size, (series + 1) * size), i * size)
    })
    return { values: picked }
  }
  return { ...set, series: kept.length, cpu: pick(set.cpu), memory: set.memory && pick(set.memory) }
}

interface Description {
  samples_per_day: number
  cpu?: { file: string; unit: string; shape: [number, number, number] }
  mem?: { file: string; unit: string; shape: [number, number, number] }
}

function readTraceSet(directory: string, name: string): TraceSet | null {
  const description = JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8')) as Description
  if (!description.cpu) return null
  const [series, days, samplesPerDay] = description.cpu.shape
  const cpu = readSamples(directory, description.cpu)
  return {
    name,
    mark: markOf(cpu),
    series,
    days,
    samplesPerDay,
    cpu,
    memory: description.mem ? readSamples(directory, description.mem) : null,
  }
}

function readSamples(directory: string, part: { file: string; shape: [number, number, number] }): Samples {
  const bytes = gunzipSync(readFileSync(join(directory, part.file)))
  const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  const expected = part.shape.reduce((a, b) => a * b, 1)
  if (values.length !== expected)
    throw new Error(`${part.file} holds ${values.length} samples, its shape says ${expected}`)
  return { values }
}

function markOf({ values }: Samples): string {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}
