/**
 * Snappy's block format, written greedily: the last place where four bytes stood is remembered by their hash, and a match
 * there becomes a copy. Offsets stay below 64 KiB, so that two bytes hold them.
 */
export function compress(input: Uint8Array): Uint8Array {
  const output = new Uint8Array(input.length + Math.ceil(input.length / 32) + 16)
  let to = writeLength(output, input.length)
  places.fill(-1)
  let literal = 0
  const last = input.length - 4
  for (let at = 0; at <= last; ) {
    const hash = Math.imul(wordAt(input, at), 0x1e35a7bd) >>> 18
    const match = places[hash]!
    places[hash] = at
    if (match < 0 || at - match > 65_535 || wordAt(input, match) !== wordAt(input, at)) {
      at++
      continue
    }
    let end = at + 4
    while (end < input.length && input[end] === input[end - at + match]) end++
    to = writeLiteral(output, to, input.subarray(literal, at))
    to = writeCopies(output, to, at - match, end - at)
    at = end
    literal = end
  }
  return output.subarray(0, writeLiteral(output, to, input.subarray(literal)))
}

const places = new Int32Array(1 << 14)

const wordAt = (bytes: Uint8Array, at: number): number =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)

function writeLength(output: Uint8Array, length: number): number {
  let to = 0
  let rest = length
  for (; rest > 127; rest = Math.floor(rest / 128)) output[to++] = (rest % 128) | 128
  output[to++] = rest
  return to
}

function writeLiteral(output: Uint8Array, start: number, bytes: Uint8Array): number {
  if (bytes.length === 0) return start
  let to = start
  const length = bytes.length - 1
  const extra = length < 60 ? 0 : length < 256 ? 1 : length < 65_536 ? 2 : length < 1 << 24 ? 3 : 4
  output[to++] = (extra === 0 ? length : 59 + extra) << 2
  for (let index = 0; index < extra; index++) output[to++] = (length >>> (8 * index)) & 255
  output.set(bytes, to)
  return to + bytes.length
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
