/** Whether the first `length` known bytes are at an offset. */
export function isAt(bytes: Uint8Array, offset: number, known: Uint8Array, length = known.length): boolean {
  for (let index = 0; index < length; index++) if (bytes[offset + index] !== known[index]) return false
  return true
}
