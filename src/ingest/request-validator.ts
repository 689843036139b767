import { hourMs } from '../domain/time.ts'
import { placeHash, shardHashOf, shardOf, unsplit, withClusterHash } from '../usage/shard.ts'
import { sampleAgeLimits } from './ingest-deps.ts'
import { isNameable, mayInterpret, meaningOf } from './metrics/interpret.ts'
import { decodeRequest, type MessageFormat, withoutRefused } from './remote-write/decode.ts'
import {
  ignored,
  type LabelPairs,
  oversized,
  passedOver,
  Resolver,
  refused,
} from './remote-write/resolver.ts'
import { Batch, type DecodedSamples } from './remote-write/samples.ts'
import { RequestSplitter } from './remote-write/split.ts'
import { defaultLimits } from './remote-write/wire.ts'

/** Counts of the content of a request, by what becomes of it. */
export interface ReceiveSummary {
  readonly samples: number
  readonly understood: number
  readonly ignored: number
  readonly oversized: number
  readonly staleMarkers: number
  readonly histograms: number
  readonly exemplars: number
  /** Samples of known metrics that are outside the accepted time range. */
  readonly tooOld: number
  readonly inTheFuture: number
  /** Samples of new series that cannot be accepted now, and the reason. */
  readonly refused: number
  readonly refusal: Refusal | undefined
}

export interface Refusal {
  readonly code: 'too-many-series' | 'overloaded'
  readonly message: string
}

export interface PushedRequest {
  readonly organisation: string
  readonly format: MessageFormat
  /** Cluster of series without a cluster label. */
  readonly cluster: string
  readonly body: Uint8Array
}

export interface ValidatedRequest {
  readonly received: ReceiveSummary
  /** Without refused series, and divided if there are shards. */
  readonly parts: readonly RequestPart[]
  /** False if no sample is both understood and within the accepted time range. */
  readonly isDigestible: boolean
}

interface RequestPart {
  readonly shard: number
  readonly format: MessageFormat
  readonly body: Uint8Array
  /** The samples of the body; present only if the request is not divided among shards. */
  readonly samples?: DecodedSamples
}

/** Before a request is acknowledged, so that everything in the journal can be read. Organisations share nothing. */
export class RequestValidator {
  readonly #maxSeries: number
  readonly #refusal: (organisation: string) => Refusal | undefined
  readonly #organisations = new Map<string, Resolver>()
  readonly #batch = new Batch()
  readonly #splitter = new RequestSplitter()
  #hour = 0
  #refusedFor: Refusal | undefined
  /** Why new series of the request that is being read are refused; null until it is needed. */
  #refusalNow: Refusal | undefined | null = null

  /** `refusal` returns the reason if new series are refused for another reason than the number of known series. */
  constructor(
    maxSeries: number,
    refusal: (organisation: string) => Refusal | undefined = () => undefined,
    isSharded = false,
  ) {
    this.#maxSeries = maxSeries
    this.#refusal = refusal
    if (isSharded) this.#batch.ranges = []
  }

  /** Throws MalformedRequest. */
  check(request: PushedRequest, nowMs: number): ValidatedRequest {
    const { organisation, body, format } = request
    const hour = Math.floor(nowMs / hourMs)
    if (hour > this.#hour) this.#forgetSilent(hour)
    const batch = this.#batch
    this.#refusedFor = undefined
    this.#refusalNow = null
    const resolver = this.#resolver(organisation)
    // Series that name no cluster are others in each cluster.
    resolver.scope = placeHash('cluster', request.cluster)
    const message = decodeRequest(body, format, resolver, defaultLimits, batch)
    const [earliestMs, latestMs] = [nowMs - sampleAgeLimits.maxAgeMs, nowMs + sampleAgeLimits.maxAheadMs]
    const { count, timesMs } = batch
    let tooOld = 0
    let inTheFuture = 0
    for (let index = 0; index < count; index++)
      if (timesMs[index]! < earliestMs) tooOld++
      else if (timesMs[index]! > latestMs) inTheFuture++
    const received = {
      samples: batch.samples,
      understood: batch.count,
      ignored: batch.ignoredSamples,
      oversized: batch.oversizedSamples,
      staleMarkers: batch.staleMarkers,
      histograms: batch.ignoredHistograms,
      exemplars: batch.ignoredExemplars,
      tooOld,
      inTheFuture,
      refused: batch.refusedSamples,
      refusal: this.#refusedFor,
    }
    const isDigestible = received.understood > tooOld + inTheFuture
    const parts = isDigestible ? this.#partsOf(request, message) : []
    batch.release()
    return { received, parts, isDigestible }
  }

  #partsOf({ organisation, cluster, body, format }: PushedRequest, message: Uint8Array): RequestPart[] {
    const batch = this.#batch
    const { ranges, refused } = batch
    const undivided = () => (refused.length === 0 ? body : withoutRefused(message, batch))
    if (ranges === undefined)
      return [{ shard: unsplit, format, body: undivided(), samples: batch.decodedSamples() }]
    const shards = shardsOf(organisation, cluster)
    const first = shards(ranges[0]!)
    let isOne = true
    for (let index = 3; index < ranges.length && isOne; index += 3) isOne = shards(ranges[index]!) === first
    if (isOne) return [{ shard: first, format, body: undivided() }]
    return [...this.#splitter.split(message, format, ranges, shards)].map(([shard, part]) => ({
      shard,
      format: 'remote-write-1',
      body: part,
    }))
  }

  get series(): number {
    let series = 0
    for (const resolver of this.#organisations.values()) series += resolver.size
    return series
  }

  #forgetSilent(hour: number): void {
    this.#hour = hour
    for (const [organisation, resolver] of this.#organisations) {
      resolver.hour = hour
      if (resolver.forgetSilent() === 0) this.#organisations.delete(organisation)
    }
  }

  #resolver(organisation: string): Resolver {
    let resolver = this.#organisations.get(organisation)
    if (resolver === undefined) {
      const number = (labels: LabelPairs): number => {
        const known = this.#organisations.get(organisation)!.size
        if (this.#refusalNow === null) this.#refusalNow = this.#refusal(organisation)
        const refusal = known < this.#maxSeries ? this.#refusalNow : tooManySeries(this.#maxSeries)
        // Whether a series is used does not depend on its cluster.
        const meaning = meaningOf(labels, '')
        if (meaning !== undefined && !isNameable(meaning))
          return refusal === undefined ? oversized : passedOver
        if (refusal === undefined) return meaning === undefined ? ignored : shardHashOf(meaning)
        if (meaning === undefined) return passedOver
        this.#refusedFor = refusal
        return refused
      }
      // If this many samples of a request are refused, its other new series are not worth reading.
      const refusesAll = () => this.#batch.refusedSamples >= floodSamples
      resolver = new Resolver({ mayUnderstand: mayInterpret, number, refusesAll }, Number.POSITIVE_INFINITY)
      resolver.hour = this.#hour
      this.#organisations.set(organisation, resolver)
    }
    return resolver
  }
}

/** Returns a function from the hash of a series to its shard, for the requests of an organisation. */
function shardsOf(organisation: string, cluster: string): (shardHash: number) => number {
  const organisationHash = placeHash('organisation', organisation)
  const clusterHash = placeHash('cluster', cluster)
  return (shardHash) => shardOf(organisationHash, withClusterHash(shardHash, clusterHash))
}

const floodSamples = 100

const tooManySeries = (most: number): Refusal => ({
  code: 'too-many-series',
  message: `the limit of ${most} active series is reached`,
})
