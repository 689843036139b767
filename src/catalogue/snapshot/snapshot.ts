import { createHash } from 'node:crypto'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { CodedError } from '../../domain/coded-error.ts'
import type { BuildManifest } from '../../domain/manifest.ts'
import type { KnownZone, Offer } from '../../domain/offer.ts'
import { ByteReader, MalformedBytes } from '../../runtime/bytes/byte-reader.ts'
import { ByteWriter } from '../../runtime/bytes/byte-writer.ts'
import { buildOfferColumns } from '../columns/build-columns.ts'
import type { OfferColumns } from '../columns/columns.ts'
import { readColumns } from './read-columns.ts'
import { writeColumns } from './write-columns.ts'

/** A file is recognised by its first bytes. docs/algorithms/catalogue.md draws the whole format. */
const magic = Buffer.from('CHEAPCAT')
export const formatVersion = 2
const headerBytes = 20
const digestBytes = 32
/** Ten times what all known prices take. A file that claims more is refused. */
const maxBodyBytes = 256 * 1024 * 1024

type SnapshotErrorCode = 'not-a-snapshot' | 'newer-format' | 'truncated' | 'altered' | 'malformed'

export class SnapshotError extends CodedError<SnapshotErrorCode> {
  override readonly name = 'SnapshotError'
}

export interface Snapshot {
  /** The digest of the file in hex. The same content has the same id. */
  readonly id: string
  readonly columns: OfferColumns
  readonly zones: readonly KnownZone[]
  readonly manifest: BuildManifest
}

export function encodeSnapshot(
  offers: Iterable<Offer>,
  zones: readonly KnownZone[],
  manifest: BuildManifest,
  /** Compression level, 0 to 11: the highest takes minutes for millions of offers. */
  quality = constants.BROTLI_MAX_QUALITY,
): Buffer {
  const writer = new ByteWriter(1 << 16)
  writer.text(JSON.stringify(manifest))
  writer.text(JSON.stringify(zones.map((z) => [z.provider, z.region, z.zone])))
  writeColumns(writer, buildOfferColumns(offers))
  const body = writer.view()
  const compressed = brotliCompressSync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  })
  const header = Buffer.alloc(headerBytes)
  magic.copy(header)
  header.writeUInt32LE(formatVersion, 8)
  header.writeUInt32LE(body.length, 12)
  header.writeUInt32LE(compressed.length, 16)
  const content = Buffer.concat([header, compressed])
  return Buffer.concat([content, digestOf(content)])
}

export const snapshotId = (file: Buffer): string => file.subarray(-digestBytes).toString('hex')

/** Throws SnapshotError, and nothing else, whatever the bytes are. */
export function decodeSnapshot(file: Uint8Array): Snapshot {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  const { version, bodyBytes, compressed, id } = open(bytes)
  try {
    const reader = new ByteReader(brotliDecompressSync(compressed, { maxOutputLength: bodyBytes }))
    const manifest = manifestFrom(reader.text())
    const zones = zonesFrom(reader.text())
    const columns = readColumns(reader, version)
    if (reader.left > 0) throw new MalformedBytes('goes on after its end')
    return { id, columns, zones, manifest }
  } catch (error) {
    const why = error instanceof MalformedBytes ? error.message : 'cannot be unpacked'
    throw new SnapshotError('malformed', `the snapshot ${why}`)
  }
}

/** Reads the header and verifies the digest before anything is unpacked. */
function open(bytes: Buffer): { version: number; bodyBytes: number; compressed: Buffer; id: string } {
  if (!bytes.subarray(0, magic.length).equals(magic.subarray(0, bytes.length)) || bytes.length === 0)
    throw new SnapshotError('not-a-snapshot', 'the file is not a catalogue snapshot')
  if (bytes.length < headerBytes)
    throw new SnapshotError('truncated', `the snapshot is cut off after ${bytes.length} bytes`)
  const version = bytes.readUInt32LE(8)
  if (version > formatVersion)
    throw new SnapshotError(
      'newer-format',
      `the snapshot has format ${version}, and this release reads up to ${formatVersion}`,
    )
  const bodyBytes = bytes.readUInt32LE(12)
  const end = headerBytes + bytes.readUInt32LE(16)
  if (bytes.length < end + digestBytes)
    throw new SnapshotError(
      'truncated',
      `the snapshot is cut off: ${bytes.length} of ${end + digestBytes} bytes`,
    )
  const digest = digestOf(bytes.subarray(0, end))
  if (bytes.length > end + digestBytes || !digest.equals(bytes.subarray(end)))
    throw new SnapshotError('altered', 'the snapshot was altered: its digest does not fit its content')
  if (version < 1 || bodyBytes === 0 || bodyBytes > maxBodyBytes)
    throw new SnapshotError('malformed', 'the snapshot has a header that no release writes')
  return { version, bodyBytes, compressed: bytes.subarray(headerBytes, end), id: digest.toString('hex') }
}

const digestOf = (content: Uint8Array): Buffer => createHash('sha256').update(content).digest()

function manifestFrom(text: string): BuildManifest {
  const manifest = parsed(text)
  if (typeof manifest !== 'object' || manifest === null || Array.isArray(manifest))
    throw new MalformedBytes('has a manifest that is no object')
  return manifest as BuildManifest
}

function zonesFrom(text: string): KnownZone[] {
  const zones = parsed(text)
  if (!Array.isArray(zones)) throw new MalformedBytes('has no list of zones')
  return zones.map((names: unknown) => {
    if (!Array.isArray(names) || names.length !== 3 || names.some((name) => typeof name !== 'string'))
      throw new MalformedBytes('has a zone without provider, region and name')
    const [provider, region, zone] = names as [string, string, string]
    return { provider, region, zone }
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedBytes('holds text that is not JSON')
  }
}
