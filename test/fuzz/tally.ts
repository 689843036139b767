import type { FuzzRequest } from './request.ts'
import type { Answer, NoAnswer } from './send.ts'

const slowestKept = 5

/** Counts answers by status and operation, and keeps the slowest. */
export class Tally {
  requests = 0
  readonly byStatus = new Map<string, number>()
  readonly byOperation = new Map<string, Map<string, number>>()
  slowest: { readonly ms: number; readonly what: string }[] = []

  add(request: FuzzRequest, answer: Answer | NoAnswer): void {
    this.requests++
    const status = 'failure' in answer ? 'none' : String(answer.status)
    count(this.byStatus, status)
    const { operation, method } = request
    const what = operation === undefined ? 'elsewhere' : `${method} ${operation.path}`
    const statuses = this.byOperation.get(what) ?? new Map<string, number>()
    this.byOperation.set(what, statuses)
    count(statuses, status)
    if (this.slowest.length < slowestKept || answer.ms > this.slowest.at(-1)!.ms) {
      this.slowest.push({ ms: answer.ms, what: `${what} (${status})` })
      this.slowest.sort((a, b) => b.ms - a.ms)
      this.slowest.length = Math.min(this.slowest.length, slowestKept)
    }
  }

  /** A summary in a few lines. */
  describe(): string {
    const pairs = (map: ReadonlyMap<string, number>) =>
      [...map]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([status, times]) => `${status}: ${times}`)
        .join(', ')
    return [
      `${this.requests} requests; ${pairs(this.byStatus)}`,
      ...[...this.byOperation]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([what, map]) => `  ${what}: ${pairs(map)}`),
      `slowest: ${this.slowest.map(({ ms, what }) => `${Math.round(ms)} ms ${what}`).join('; ')}`,
    ].join('\n')
  }
}

function count(map: Map<string, number>, key: string): void {
  map.set(key, (map.get(key) ?? 0) + 1)
}
