import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

/** Returned instead of a length: the file, process or cgroup does not exist (any more), or this user may not read it. */
export const gone = -1
export const denied = -2

/** Three system calls each, into one buffer that is reused, up to the length that `read` returned. */
export class KernelFiles {
  readonly bytes = Buffer.allocUnsafe(64 << 10)

  read(path: string): number {
    try {
      const file = openSync(path, 'r')
      try {
        return readSync(file, this.bytes, 0, this.bytes.length, 0)
      } finally {
        closeSync(file)
      }
    } catch (error) {
      return isDenied(error) ? denied : gone
    }
  }

  text(path: string): string | undefined {
    const length = this.read(path)
    return length < 0 ? undefined : this.bytes.toString('utf8', 0, length)
  }

  list(path: string): readonly string[] {
    try {
      return readdirSync(path)
    } catch {
      return []
    }
  }

  /** Returns the number that is the content of the file, or that follows `name` at the start of a line. */
  number(path: string, name?: string): number | undefined {
    const length = this.read(path)
    return length < 0 ? undefined : numberIn(this.bytes, length, name)
  }
}

export function numberIn(bytes: Buffer, length: number, name?: string): number | undefined {
  let at = 0
  if (name !== undefined) {
    const line = bytes.subarray(0, length).indexOf(`\n${name}`)
    const starts = bytes.toString('latin1', 0, name.length) === name
    if (!starts && line < 0) return undefined
    at = (starts ? 0 : line + 1) + name.length
  }
  while (at < length && (bytes[at] === space || bytes[at] === tab)) at++
  const start = at
  let value = 0
  for (; at < length && bytes[at]! >= zero && bytes[at]! <= nine; at++) value = value * 10 + bytes[at]! - zero
  return at === start ? undefined : value
}

export const [space, tab, zero, nine] = [0x20, 0x09, 0x30, 0x39]

function isDenied(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'EACCES' || code === 'EPERM'
}
