import { messageMemory } from './label-hash.ts'
import { MalformedRequest } from './wire.ts'

/**
 * Decompresses Snappy's block format (format_description.txt of the snappy repository). It is implemented here and not
 * taken from a package, because there is no native code to build, and the cost of a request is compared with Prometheus'
 * own receiver.
 *
 *   | v length of the output | element ... |
 *   element  tag & 3 = 0: literal, length tag >> 2, plus 1; 60 to 63: length in 1 to 4 bytes that follow, plus 1
 *            tag & 3 = 1: copy, length (tag >> 2 & 7) + 4, offset (tag >> 5) x 256 + 1 byte
 *            tag & 3 = 2: copy, length (tag >> 2) + 1, offset in 2 bytes
 *            tag & 3 = 3: copy, length (tag >> 2) + 1, offset in 4 bytes
 *
 * The length is checked before anything is allocated, also against what the input can unpack to at most, so that a
 * decompression bomb costs nothing. The result is valid until the next call.
 */
export function decompress(input: Uint8Array, maxBytes: number): Uint8Array {
  const [length, start] = declaredLength(input)
  if (length > maxBytes)
    throw new MalformedRequest(`the body unpacks to ${length} bytes; at most ${maxBytes} are read`)
  if (length > maxPerByte * input.length) throw cut()
  const output = outputFor(length + slack)
  const words = new DataView(output.buffer)
  const inputWords = new DataView(input.buffer, input.byteOffset, input.byteLength)
  const end = input.length
  let from = start
  let to = 0
  while (from < end) {
    const tag = input[from++]!
    let count: number
    let offset: number
    switch (tag & 3) {
      case 0: {
        count = (tag >> 2) + 1
        if (count > 60) {
          const extra = count - 60
          if (from + extra > end) throw cut()
          count = 1
          for (let index = 0, scale = 1; index < extra; index++, scale *= 256)
            count += input[from + index]! * scale
          from += extra
        }
        if (count > end - from || count > length - to) throw cut()
        if (count <= 64 && from + count + slack <= end)
          for (let index = 0; index < count; index += 4)
            words.setInt32(to + index, inputWords.getInt32(from + index, true), true)
        else output.set(input.subarray(from, from + count), to)
        from += count
        to += count
        continue
      }
      case 1:
        if (from >= end) throw cut()
        count = ((tag >> 2) & 7) + 4
        offset = ((tag >> 5) << 8) | input[from]!
        from += 1
        break
      case 2:
        if (from + 2 > end) throw cut()
        count = (tag >> 2) + 1
        offset = input[from]! | (input[from + 1]! << 8)
        from += 2
        break
      default:
        if (from + 4 > end) throw cut()
        count = (tag >> 2) + 1
        offset =
          (input[from]! | (input[from + 1]! << 8) | (input[from + 2]! << 16) | (input[from + 3]! << 24)) >>> 0
        from += 4
    }
    if (offset === 0 || offset > to || count > length - to) throw cut()
    // Bytes that repeat every one, two or three bytes also repeat every four or six: only the first few are copied one
    // by one.
    const distance = offset >= 4 ? offset : offset === 3 ? 6 : 4
    const singly = distance - offset
    for (let index = 0; index < singly && index < count; index++)
      output[to + index] = output[to + index - offset]!
    for (let index = singly; index < count; index += 4)
      words.setInt32(to + index, words.getInt32(to + index - distance, true), true)
    to += count
  }
  if (to !== length) throw cut()
  return output.subarray(0, length)
}

function declaredLength(input: Uint8Array): [number, number] {
  let length = 0
  for (let index = 0, scale = 1; index < 5 && index < input.length; index++, scale *= 128) {
    const byte = input[index]!
    length += (byte & 127) * scale
    if (byte < 128) return [length, index + 1]
  }
  throw new MalformedRequest('the body is not snappy: it has no length')
}

/** A copy of 64 bytes takes three bytes of input, so a byte unpacks to less than this. */
const maxPerByte = 22

/** Four bytes are copied at a time, and up to three too many, which are overwritten by what follows. */
const slack = 4

const cut = () => new MalformedRequest('the body is not snappy, or was cut short')

/** A large request gets memory of its own, which is released once it is read. */
const outputFor = (length: number): Uint8Array =>
  length <= messageMemory.length ? messageMemory : new Uint8Array(length)

/**
 * Compresses greedily into Snappy's block format: the last position of any four bytes is remembered by their hash, and a
 * match there becomes a copy. Offsets stay below 64 KiB, so that they fit into two bytes. Where nothing matches, steps
 * become longer.
 */
export function compress(input: Uint8Array): Uint8Array {
  const bound = input.length + Math.ceil(input.length / 32) + 16
  const output = bound <= packedMemory.length ? packedMemory : new Uint8Array(bound)
  const words = new DataView(input.buffer, input.byteOffset, input.byteLength)
  let to = writeLength(output, input.length)
  places.fill(-1)
  let literal = 0
  let missed = 0
  const last = input.length - 4
  for (let at = 0; at <= last; ) {
    const word = words.getInt32(at, true)
    const hash = Math.imul(word, 0x1e35a7bd) >>> 18
    const match = places[hash]!
    places[hash] = at
    if (match < 0 || at - match > 65_535 || words.getInt32(match, true) !== word) {
      at += 1 + (missed++ >> 5)
      continue
    }
    missed = 0
    const distance = at - match
    let end = at + 4
    while (end <= last && words.getInt32(end, true) === words.getInt32(end - distance, true)) end += 4
    while (end < input.length && input[end] === input[end - distance]) end++
    to = writeLiteral(output, to, input, literal, at)
    to = writeCopies(output, to, distance, end - at)
    at = end
    literal = end
  }
  return output.slice(0, writeLiteral(output, to, input, literal, input.length))
}

const places = new Int32Array(1 << 14)
/** Small outputs are written here first, because memory outside the heap is released late. */
const packedMemory = new Uint8Array(1 << 20)

function writeLength(output: Uint8Array, length: number): number {
  let to = 0
  let rest = length
  for (; rest > 127; rest = Math.floor(rest / 128)) output[to++] = (rest % 128) | 128
  output[to++] = rest
  return to
}

function writeLiteral(output: Uint8Array, start: number, input: Uint8Array, from: number, end: number) {
  if (from === end) return start
  let to = start
  const length = end - from - 1
  const extra = length < 60 ? 0 : length < 256 ? 1 : length < 65_536 ? 2 : length < 1 << 24 ? 3 : 4
  output[to++] = (extra === 0 ? length : 59 + extra) << 2
  for (let index = 0; index < extra; index++) output[to++] = (length >>> (8 * index)) & 255
  if (extra > 0) output.set(input.subarray(from, end), to)
  else for (let index = 0; index <= length; index++) output[to + index] = input[from + index]!
  return to + length + 1
}

function writeCopies(output: Uint8Array, start: number, offset: number, length: number): number {
  let to = start
  for (let rest = length; rest > 0; rest -= 64) {
    output[to++] = ((Math.min(rest, 64) - 1) << 2) | 2
    output[to++] = offset & 255
    output[to++] = offset >> 8
  }
  return to
}
