import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import fc from 'fast-check'
import { anyOffer, knownZones } from '../src/catalogue/search/random-offers.case.ts'
import { decodeSnapshot, encodeSnapshot, SnapshotError } from '../src/catalogue/snapshot/snapshot.ts'
import { meaningOf } from '../src/ingest/metrics/interpret.ts'
import { decodeRequest, type MessageFormat } from '../src/ingest/remote-write/decode.ts'
import { encodeRequest } from '../src/ingest/remote-write/encode.case.ts'
import {
  collidingSeries,
  field,
  label,
  repeated,
  twoByteLabelTag,
} from '../src/ingest/remote-write/hostile.case.ts'
import { ignored, Resolver } from '../src/ingest/remote-write/resolver.ts'
import { Batch } from '../src/ingest/remote-write/samples.ts'
import { compress, decompress } from '../src/ingest/remote-write/snappy.ts'
import { defaultLimits, MalformedRequest } from '../src/ingest/remote-write/wire.ts'
import { readMarketplaceCsv } from '../src/pricing/own-prices/marketplace-csv.ts'
import { NotAPlan, readTerraformPlan } from '../src/pricing/terraform/terraform.ts'
import { planProviders } from '../src/providers/terraform/plan-providers.ts'

/** A decoder of untrusted input, and its guarantees for any bytes. */
export interface Decoder {
  readonly name: string
  /** Decodes the input. Returns the size in bytes to which the limits below relate. */
  decode(input: Uint8Array): number
  /** The only errors it may throw. */
  readonly errors: readonly (new (
    ...args: never[]
  ) => Error)[]
  /** The most that it may allocate per byte of that size, in addition to `freeBytes`. */
  readonly maxBytesPerByte: number
  readonly freeBytes: number
  /** Valid inputs, which are changed at random. */
  readonly valid: readonly Uint8Array[]
  /** Inputs of about this size that are made to be expensive. */
  hostile(bytes: number): Uint8Array[]
}

/** Allowance for buffers of a fixed size, and for memory that V8 counts late. */
const freeBytes = 16 << 20

export const decoders: readonly Decoder[] = [
  {
    name: 'snappy',
    decode: (input) => input.length + decompress(input, maxUnpackedBytes).length,
    errors: [MalformedRequest],
    maxBytesPerByte: 25,
    freeBytes,
    valid: ['', 'abcd', 'x'.repeat(5000), 'container namespace '.repeat(300)].map((text) =>
      compress(Buffer.from(text)),
    ),
    hostile: (bytes) => [
      Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 0),
      compress(new Uint8Array(bytes)),
      Buffer.concat([Uint8Array.of(...lengthOf(bytes)), repeated([0, 97], bytes)]),
      Buffer.concat([Uint8Array.of(...lengthOf(4 * bytes), 0, 97), repeated([1, 1], bytes - 1)]),
    ],
  },
  remoteWrite('remote-write-1'),
  remoteWrite('remote-write-2'),
  {
    name: 'CSV',
    decode(input) {
      readMarketplaceCsv(Buffer.from(input).toString(), { findProvider: () => undefined })
      return input.length
    },
    errors: [],
    maxBytesPerByte: 1000,
    freeBytes,
    valid: [
      `${csvHeader()}\n0.1,2,4,m1,east,acme\n"0.2","2","4","m""2",west,acme\n`,
      `${csvHeader().replaceAll(',', ';')}\r\n0.1;2;4;m1;east;acme\r\n`,
    ].map((text) => Buffer.from(text)),
    hostile: (bytes) =>
      [
        '\n'.repeat(bytes),
        'a\n'.repeat(bytes / 2),
        `${csvHeader()}\n${'a\n'.repeat(bytes / 2)}`,
        `${csvHeader()}\n${'"\n'.repeat(bytes / 2)}`,
        `${csvHeader()}\n${'"""\n'.repeat(bytes / 4)}`,
        `"${'""'.repeat(bytes / 2)}`,
        `"${'\r\n'.repeat(bytes / 2)}"`,
        ','.repeat(bytes),
        Array.from({ length: bytes / 8 }, (_, n) => n).join(','),
        `${csvHeader()}\n${'0.1,2,4,m1,east,acme\n'.repeat(bytes / 20)}`,
      ].map((text) => Buffer.from(text)),
  },
  {
    name: 'Terraform JSON',
    decode(input) {
      let document: unknown
      try {
        document = JSON.parse(Buffer.from(input).toString())
      } catch {
        return input.length
      }
      readTerraformPlan(document, planProviders)
      return input.length
    },
    errors: [NotAPlan],
    maxBytesPerByte: 100,
    freeBytes,
    valid: [
      Buffer.from(JSON.stringify(plan(3))),
      Buffer.from(JSON.stringify({ format_version: '1', values: { root_module: {} } })),
    ],
    hostile: (bytes) =>
      [
        '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
        JSON.stringify(plan(bytes / 300)),
        `{"format_version":"1","values":{"root_module":${nested('{"resources":[{}],"child_modules":[', bytes / 40, ']}')}}}`,
        `{"resource_changes":[{"type":"aws_instance","name":"a","module_address":"${'module.a.'.repeat(bytes / 100)}","change":{"actions":["create"],"after":{"instance_type":"t"}}}],"configuration":{"provider_config":{"aws":{"module_address":"${'module.a.'.repeat(bytes / 100)}","expressions":{"region":{"references":["var.r"]}}}},"root_module":${nested('{"module_calls":{"a":{"expressions":{"r":{"references":["var.r"]}},"module":', bytes / 100, '}}}')}}}`,
        `{"resource_changes":[{"address":"${'["'.repeat(bytes / 4)}","type":"aws_instance","module_address":"${'[\\"'.repeat(bytes / 6)}","change":{"actions":["create"],"after":{}}}]}`,
      ].map((text) => Buffer.from(text)),
  },
  {
    name: 'snapshot',
    decode(input) {
      decodeSnapshot(sealed(input))
      return input.length
    },
    errors: [SnapshotError],
    maxBytesPerByte: 50,
    freeBytes,
    valid: [unpackedSnapshot()],
    hostile: (bytes) => [
      new Uint8Array(bytes),
      repeated([255, 127], bytes / 2),
      Buffer.concat([unpackedSnapshot(), new Uint8Array(bytes)]),
      Buffer.concat([unpackedSnapshot().subarray(0, 400), repeated([1, 97], bytes / 2)]),
    ],
  },
]

const maxUnpackedBytes = 1 << 24

function remoteWrite(format: MessageFormat): Decoder {
  const one = format === 'remote-write-1'
  const labels = [
    ['__name__', 'container_memory_working_set_bytes'],
    ['container', 'app'],
    ['namespace', 'shop'],
    ['pod', 'p'],
  ] as const
  const series = {
    labels,
    samples: [
      { timeMs: 5, value: 1 },
      { timeMs: 6, value: 'stale' as const },
    ],
    histograms: 1,
    exemplars: 1,
  }
  const message = (count: number) =>
    decompress(
      encodeRequest(
        Array.from({ length: count }, (_, n) => ({ ...series, labels: [...labels, ['n', `${n}`] as const] })),
        format,
      ),
      1 << 24,
    ).slice()
  const sample = field(2, Uint8Array.of(0x10, 5))
  return {
    name: format,
    decode(input) {
      const resolver = new Resolver(
        { mayUnderstand: () => true, number: (told) => (meaningOf(told, '') === undefined ? ignored : 0) },
        Number.POSITIVE_INFINITY,
      )
      decodeRequest(
        compress(input),
        format,
        resolver,
        { ...defaultLimits, maxBytes: maxUnpackedBytes },
        new Batch(),
      )
      return input.length
    },
    errors: [MalformedRequest],
    maxBytesPerByte: 100,
    // Many series may refer to the same symbols. Their total size when written out has its own limit.
    freeBytes: freeBytes + (one ? 0 : 2 * defaultLimits.maxLabelBytesInAll),
    valid: [message(1), message(20)],
    hostile: (bytes) =>
      one
        ? [
            twoByteLabelTag(bytes),
            field(1, repeated([...label('a', 'b'), ...sample], bytes / 14)),
            field(1, repeated([0x8a, 0, 0], bytes / 3)),
            repeated([...field(1, Buffer.concat([sample, repeated([0x0a, 0], 100)]))], bytes / 206),
            repeated([...field(1, repeated([0x0a, 4, 0x0a, 0, 0x12, 0], 100))], bytes / 603),
            ...[
              [0x0a, 0],
              [0x12, 0],
              [0x1a, 0],
              [0x22, 0],
              [0x7a, 0],
              [0x78, 0],
            ].flatMap((pair) => [repeated(pair, bytes / 2), field(1, repeated(pair, bytes / 2))]),
            field(1, Buffer.concat([label('a', 'b'), repeated([0x12, 0], bytes / 2)])),
            collidingSeries(Math.min(1000, bytes / 16), 0),
          ]
        : [
            ...[
              [0x22, 0],
              [0x2a, 0],
              [0x7a, 0],
            ].map((pair) => repeated(pair, bytes / 2)),
            field(5, field(1, new Uint8Array(bytes))),
            field(5, repeated([0x08, 0], bytes / 2)),
            Buffer.concat([field(4, new Uint8Array()), field(5, repeated([0x12, 0], bytes / 2))]),
            Buffer.concat([
              ...longNames,
              ...Array.from({ length: bytes / 260 }, (_, n) => field(5, field(1, refs(n)))),
            ]),
          ],
  }
}

const longNames = Array.from({ length: 16 }, (_, n) => field(4, Buffer.alloc(4000, 97 + n)))
const refs = (n: number) =>
  Uint8Array.from({ length: 240 }, (_, place) => (place < 20 ? (n >> place) & 1 : place % 16))

function lengthOf(bytes: number): number[] {
  return bytes < 128 ? [bytes] : [(bytes % 128) | 128, ...lengthOf(Math.floor(bytes / 128))]
}

function csvHeader(): string {
  return 'cost_per_hour,cpu_cores,ram_gb,instance_type,region,provider'
}

const nested = (open: string, depth: number, close: string): string =>
  `${open.repeat(depth)}{}${close.repeat(depth)}`

function plan(resources: number): object {
  const names = Array.from({ length: resources }, (_, n) => `web${n}`)
  const type = 'aws_instance'
  const change = { actions: ['create'], before: null, after: { instance_type: 'm5.large' } }
  return {
    format_version: '1.2',
    resource_changes: names.map((name) => ({
      address: `${type}.${name}`,
      mode: 'managed',
      type,
      name,
      change,
    })),
    configuration: {
      provider_config: { aws: { expressions: { region: { references: ['var.region'] } } } },
      root_module: {
        resources: names.map((name) => ({ type, name, provider_config_key: 'aws' })),
        variables: { region: { default: 'eu-west-1' } },
      },
    },
  }
}

/** The uncompressed body of a snapshot. */
function unpackedSnapshot(): Uint8Array {
  const offers = fc.sample(anyOffer, { numRuns: 30, seed: 7 })
  const file = encodeSnapshot(
    offers,
    knownZones,
    { builtAt: '2026-11-01T00:00:00Z', exchange: null, providers: [] },
    1,
  )
  return brotliDecompressSync(file.subarray(20, -32))
}

/** Compresses a body and adds the matching digest, so that its content is read whatever it is. */
function sealed(body: Uint8Array): Uint8Array {
  const packed = brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 0 } })
  const header = Buffer.alloc(20)
  header.write('CHEAPCAT')
  header.writeUInt32LE(1, 8)
  header.writeUInt32LE(body.length, 12)
  header.writeUInt32LE(packed.length, 16)
  const content = Buffer.concat([header, packed])
  return Buffer.concat([content, createHash('sha256').update(content).digest()])
}
