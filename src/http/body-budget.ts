import type { FastifyRequest } from 'fastify'
import { Problem } from '../domain/problem.ts'

const mebibyte = 1024 * 1024
/** Three of the largest bodies of one organisation, eight in all. */
const organisationBytes = 48 * mebibyte
const allBytes = 128 * mebibyte

/** Memory for bodies on their way: what a request says it will send counts from its headers to the end of its answer. */
export class BodyBudget {
  readonly #byOrganisation = new Map<string, number>()
  #taken = 0

  get takenBytes(): number {
    return this.#taken
  }

  /** Throws where the organisation, or all of them, would send more at a time than there is memory for. */
  take(organisation: string, bytes: number): void {
    const before = this.#byOrganisation.get(organisation) ?? 0
    if (before + bytes > organisationBytes || this.#taken + bytes > allBytes) {
      throw new Problem('overloaded', 'Too much is being sent at the same time.', { retryAfterSeconds: 1 })
    }
    this.#taken += bytes
    this.#byOrganisation.set(organisation, before + bytes)
  }

  giveBack(organisation: string, bytes: number): void {
    this.#taken -= bytes
    const left = this.#byOrganisation.get(organisation)! - bytes
    if (left === 0) this.#byOrganisation.delete(organisation)
    else this.#byOrganisation.set(organisation, left)
  }
}

/** How much a body may come to hold; one that is too large is refused before it is read. */
export function announcedBytes({ headers }: FastifyRequest, limitBytes: number): number {
  if (headers['transfer-encoding'] !== undefined) return limitBytes
  const length = headers['content-length']
  return length === undefined || Number(length) > limitBytes ? 0 : Number(length)
}
