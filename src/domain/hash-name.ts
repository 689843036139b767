/** Hashes a name to an unsigned integer of 32 bits (FNV-1a over its UTF-16 code units). */
export function hashName(name: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < name.length; index++)
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193)
  return hash >>> 0
}
