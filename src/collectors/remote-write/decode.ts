import { decodeV1 } from './decode-v1.ts'
import { decodeV2 } from './decode-v2.ts'
import type { Resolver } from './resolver.ts'
import type { Batch } from './samples.ts'
import { compress, decompress } from './snappy.ts'
import { type DecodeLimits, MalformedRequest } from './wire.ts'

/**
 * Reads a request's body into a batch. Throws MalformedRequest for what can never be read, TooManySeries for what may be
 * later, and nothing else; the batch is of no use then. The message itself, valid until the next call.
 */
export function decodeRequest(
  body: Uint8Array,
  format: MessageFormat,
  resolver: Resolver,
  limits: DecodeLimits,
  batch: Batch,
): Uint8Array {
  batch.clear()
  const bytes = decompress(body, limits.maxBytes)
  try {
    if (format === 'remote-write-1') decodeV1(bytes, resolver, limits, batch)
    else decodeV2(bytes, resolver, limits, batch)
  } catch (error) {
    if (error instanceof RangeError)
      throw new MalformedRequest('not protobuf, or cut short', { cause: error })
    throw error
  }
  return bytes
}

/** A body without the series that were refused. */
export function withoutRefused(message: Uint8Array, { refused }: Batch): Uint8Array {
  const parts: Uint8Array[] = []
  let from = 0
  for (let index = 0; index < refused.length; index += 2) {
    parts.push(message.subarray(from, refused[index]))
    from = refused[index + 1]!
  }
  return compress(Buffer.concat([...parts, message.subarray(from)])).slice()
}

export type MessageFormat = 'remote-write-1' | 'remote-write-2'

/**
 * The message that headers announce; undefined where it is none that is read, which the protocol answers by 415.
 * Remote write 1.0 senders name no message, and some no encoding: the body is snappy all the same.
 */
export function messageFormat(
  contentType: string | undefined,
  encoding: string | undefined,
): MessageFormat | undefined {
  if ((encoding ?? 'snappy').trim().toLowerCase() !== 'snappy') return undefined
  const [media, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim())
  if (media?.toLowerCase() !== 'application/x-protobuf') return undefined
  const proto = parameters.find((parameter) => /^proto=/i.test(parameter))?.slice('proto='.length)
  return formats[(proto ?? 'prometheus.WriteRequest').replace(/^"(.*)"$/, '$1')]
}

const formats: Readonly<Record<string, MessageFormat | undefined>> = {
  __proto__: null as never,
  'prometheus.WriteRequest': 'remote-write-1',
  'io.prometheus.write.v2.Request': 'remote-write-2',
}

/**
 * What the response reports as written, with success or without. Written is what is accepted, whatever becomes of it
 * (prometheus.io/docs/specs/prw/remote_write_spec_2_0): metrics, histograms and exemplars of no use here are accepted too,
 * and a sender that gets no count considers the whole request lost.
 */
export function writtenHeaders(written: {
  samples: number
  histograms: number
  exemplars: number
}): Record<string, string> {
  return {
    'X-Prometheus-Remote-Write-Samples-Written': String(written.samples),
    'X-Prometheus-Remote-Write-Histograms-Written': String(written.histograms),
    'X-Prometheus-Remote-Write-Exemplars-Written': String(written.exemplars),
  }
}
