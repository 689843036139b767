import type { ByteReader } from '../../domain/byte-reader.ts'
import type { DigestCursor } from '../digest/cursor.ts'
import { type DistributionConsumer, DistributionSkipper } from '../distribution/header.ts'
import type { CountAndSum, DistributionSink } from './distribution-sink.ts'

/** Gives the distributions of a range of hours to a sink, and reads past the others. */
export class HourFilter implements DistributionConsumer {
  /** Result for the current hour. */
  taken: CountAndSum = nothing
  #from = 0
  #to = 0
  #sink!: DistributionSink
  readonly #cursor: DigestCursor
  readonly #take: (sink: DistributionSink, reader: ByteReader) => CountAndSum
  readonly #skipper = new DistributionSkipper()

  constructor(cursor: DigestCursor, take: (sink: DistributionSink, reader: ByteReader) => CountAndSum) {
    this.#cursor = cursor
    this.#take = take
  }

  open(sink: DistributionSink, from: number, to: number): void {
    this.#sink = sink
    this.#from = from
    this.#to = to
  }

  /** Before each hour, which may have no distribution. */
  clear(): void {
    this.taken = nothing
  }

  addFrom(reader: ByteReader): void {
    const { hour } = this.#cursor
    if (hour < this.#from || hour >= this.#to) {
      this.#skipper.addFrom(reader)
      return
    }
    this.#sink.open(hour)
    this.taken = this.#take(this.#sink, reader)
  }
}

const nothing: CountAndSum = { count: 0, sum: 0 }
