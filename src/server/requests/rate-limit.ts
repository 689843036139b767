import type { FastifyReply } from 'fastify'
import { Problem } from '../../domain/problem.ts'
import { addressGroup } from '../connections/connection-limits.ts'

/** A request takes one token, and `perSecond` are added each second, up to `burst`. The clock must be monotonic. */
export class TokenBuckets {
  readonly #perSecond: number
  readonly #burst: number
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond
    this.#burst = burst
  }

  get limit(): number {
    return this.#burst
  }

  get on(): boolean {
    return this.#perSecond > 0
  }

  /** Takes a token. Returns the number of tokens left, or a negative number if there was none. */
  take(who: string, nowMs: number): number {
    let bucket = this.#buckets.get(who)
    if (bucket === undefined) {
      if (this.#buckets.size >= maxBuckets) this.#forgetFull(nowMs)
      bucket = { tokens: this.#burst, at: nowMs }
      this.#buckets.set(who, bucket)
    }
    bucket.tokens = this.#refilled(bucket, nowMs)
    bucket.at = nowMs
    if (bucket.tokens < 1) return bucket.tokens - 1
    bucket.tokens -= 1
    return bucket.tokens
  }

  /** Seconds until the bucket holds `tokens` again. */
  secondsUntil(tokens: number, left: number): number {
    return Math.max(0, Math.ceil((tokens - left) / this.#perSecond))
  }

  #refilled(bucket: { tokens: number; at: number }, nowMs: number): number {
    const gained = (Math.max(0, nowMs - bucket.at) / 1000) * this.#perSecond
    return Math.min(this.#burst, bucket.tokens + gained)
  }

  /** Deletes full buckets, which mean the same as no bucket. If too many remain, deletes the older half. */
  #forgetFull(nowMs: number): void {
    for (const [who, bucket] of this.#buckets) {
      if (this.#refilled(bucket, nowMs) >= this.#burst) this.#buckets.delete(who)
    }
    if (this.#buckets.size < maxBuckets) return
    let excess = this.#buckets.size / 2
    for (const who of this.#buckets.keys()) {
      if (excess-- <= 0) break
      this.#buckets.delete(who)
    }
  }
}

const maxBuckets = 50_000

/** Counts a request of `who`, sets the rate limit headers, and throws if the limit is exceeded. */
export function countRequest(buckets: TokenBuckets, who: string, reply: FastifyReply): void {
  if (!buckets.on) return
  const left = buckets.take(who, performance.now())
  const remaining = Math.max(0, Math.floor(left))
  reply.header('ratelimit-limit', buckets.limit)
  reply.header('ratelimit-remaining', remaining)
  reply.header('ratelimit-reset', buckets.secondsUntil(buckets.limit, remaining))
  const problem = usedUp(buckets, left)
  if (problem !== undefined) throw problem
}

/** Counts a request of an address to a route that needs no key, and throws if the limit is exceeded. It sets no headers. */
export function refuseAboveRate(buckets: TokenBuckets, address: string): void {
  const problem = rateProblem(buckets, address)
  if (problem !== undefined) throw problem
}

/** Counts a request of an address. Returns a problem if the limit is exceeded. */
export function rateProblem(buckets: TokenBuckets, address: string): Problem | undefined {
  return buckets.on ? usedUp(buckets, buckets.take(addressGroup(address), performance.now())) : undefined
}

function usedUp(buckets: TokenBuckets, left: number): Problem | undefined {
  if (left >= 0) return undefined
  const retryAfterSeconds = Math.max(1, buckets.secondsUntil(1, left + 1))
  return new Problem('rate-limited', `The rate limit is exceeded; retry in ${retryAfterSeconds} s.`, {
    retryAfterSeconds,
  })
}
