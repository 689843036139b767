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
