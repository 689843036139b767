import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/**
 * A file of records, which are appended and read from the start:
 *
 *     | length, 4 bytes | CRC-32 of body, 4 bytes | body | ...      numbers lowest byte first
 *
 * Reading ends at a record that was truncated by a crash or does not match its checksum.
 */
export function readSegment(path: string): Buffer[] {
  const bytes = readFileSync(path)
  const bodies: Buffer[] = []
  for (let at = 0; at + headBytes <= bytes.length; ) {
    const end = at + headBytes + bytes.readUInt32LE(at)
    if (end > bytes.length) break
    const body = bytes.subarray(at + headBytes, end)
    if (crc32(body) !== bytes.readUInt32LE(at + 4)) break
    bodies.push(body)
    at = end
  }
  return bodies
}

/** Appends a record atomically: a record that was written only in part, because the disk is full, is removed again. */
export function appendRecord(path: string, body: Uint8Array): void {
  const record = Buffer.allocUnsafe(headBytes + body.length)
  record.writeUInt32LE(body.length, 0)
  record.writeUInt32LE(crc32(body), 4)
  record.set(body, headBytes)
  const file = openSync(path, 'a', 0o600)
  try {
    const before = fstatSync(file).size
    try {
      for (let done = 0; done < record.length; ) done += writeSync(file, record, done)
    } catch (error) {
      ftruncateSync(file, before)
      throw error
    }
  } finally {
    closeSync(file)
  }
}

const headBytes = 8
export const recordBytes = (body: Uint8Array): number => headBytes + body.length
