import { parseArgs } from 'node:util'
import { getHeapStatistics } from 'node:v8'
import { type Decoder, decoders } from './decoders.ts'

/**
 * Feeds every decoder with random, changed and hostile bytes, and prints the most memory and CPU time that it used per byte
 * of input. The exit code is 1 if a decoder threw an undeclared error or allocated more than it may.
 *   node test/fuzz-decoders.ts [--seconds 10, for each decoder] [--seed 1] [--only name]
 */
export interface Findings {
  readonly inputs: number
  readonly maxBytesPerByte: number
  /** Measured on inputs of 64 KiB and more. */
  readonly maxNsPerByte: number
  readonly failures: readonly string[]
}

/** Feeds hostile inputs of the given size, then changed ones until `isEnough` returns true. */
export function fuzz(
  decoder: Decoder,
  seed: number,
  hostileBytes: number,
  isEnough: (inputs: number) => boolean,
): Findings {
  const random = randomOf(seed)
  const findings = { inputs: 0, maxBytesPerByte: 0, maxNsPerByte: 0, failures: [] as string[] }
  for (const input of decoder.hostile(hostileBytes)) feed(input)
  while (!isEnough(findings.inputs)) feed(changed(decoder.valid, random))
  return findings

  function feed(input: Uint8Array): void {
    findings.inputs++
    const before = { allocated: allocatedBytes(), cpu: process.cpuUsage() }
    let size = input.length
    try {
      size = decoder.decode(input)
    } catch (error) {
      if (!decoder.errors.some((known) => error instanceof known))
        findings.failures.push(`${String(error).slice(0, 200)} for ${input.length} bytes: ${shown(input)}`)
    }
    const cpu = process.cpuUsage(before.cpu)
    const perByte = Math.max(0, allocatedBytes() - before.allocated - decoder.freeBytes) / Math.max(1, size)
    if (perByte > decoder.maxBytesPerByte)
      findings.failures.push(`${perByte.toFixed(0)} bytes allocated for each of ${size}: ${shown(input)}`)
    findings.maxBytesPerByte = Math.max(findings.maxBytesPerByte, perByte)
    if (size >= 1 << 16)
      findings.maxNsPerByte = Math.max(findings.maxNsPerByte, (1000 * (cpu.user + cpu.system)) / size)
  }
}

const allocatedBytes = (): number =>
  (getHeapStatistics() as unknown as { total_allocated_bytes: number }).total_allocated_bytes +
  process.memoryUsage().arrayBuffers

const shown = (input: Uint8Array): string => Buffer.from(input.subarray(0, 120)).toString('base64')

/** A valid input with a few changes, or random bytes. */
function changed(valid: readonly Uint8Array[], random: () => number): Uint8Array {
  const below = (bound: number) => Math.floor(random() * bound)
  if (below(20) === 0) return Uint8Array.from({ length: below(2000) }, () => below(256))
  let bytes = Buffer.from(valid[below(valid.length)]!)
  for (let changes = 1 + below(5); changes > 0; changes--) {
    const [from, to] = [below(bytes.length + 1), below(bytes.length + 1)].sort((a, b) => a - b) as [
      number,
      number,
    ]
    const [head, middle, tail] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)]
    const kind = below(7)
    if (kind === 0) bytes = Buffer.concat([head, tail])
    else if (kind === 1) bytes = Buffer.concat([head, middle, middle, tail])
    else if (kind === 2 && bytes.length < 1 << 16)
      bytes = Buffer.concat([head, ...Array.from({ length: below(200) }, () => middle.subarray(0, 50)), tail])
    else if (kind === 3) bytes = Buffer.concat([head, tail, middle])
    else if (kind === 4) bytes = Buffer.concat([head, Uint8Array.from([255, 255, 255, 255, below(16)]), tail])
    else if (bytes.length > 0)
      bytes[from % bytes.length] = kind === 5 ? below(256) : edges[below(edges.length)]!
  }
  return bytes
}

const edges = [0, 1, 2, 8, 10, 18, 34, 44, 91, 127, 128, 255]

function randomOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { seconds: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
  })
  for (const decoder of decoders.filter(({ name }) => name.includes(values.only ?? ''))) {
    const until = performance.now() + Number(values.seconds ?? 10) * 1000
    const found = fuzz(decoder, Number(values.seed ?? 1), 4 << 20, () => performance.now() > until)
    console.log(
      `${decoder.name}: ${found.inputs} inputs, at most ${found.maxBytesPerByte.toFixed(1)} bytes allocated for a byte ` +
        `(${decoder.maxBytesPerByte} may be) and ${found.maxNsPerByte.toFixed(0)} ns of CPU`,
    )
    for (const failure of found.failures.slice(0, 10)) console.log(`  ${failure}`)
    if (found.failures.length > 0) process.exitCode = 1
  }
}
