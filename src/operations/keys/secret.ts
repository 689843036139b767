import { hash, randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new key's parts; the secret has 40 x log2(62) = 238 random bits. */
export function newKeyParts(): { id: string; secret: string } {
  return { id: randomText(12), secret: randomText(40) }
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 = 4 x 62: bytes beyond would make some letters likelier than others.
      if (byte < 248 && text.length < length) text += alphabet[byte % 62]
    }
  }
  return text
}
