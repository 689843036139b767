import { randomBytes } from 'node:crypto'

/** Unlike any other process's, of any node. */
const processId = randomBytes(8).toString('hex')
let requests = 0

/** The caller's own id where it is harmless, so that a request can be followed through several systems. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given)
    ? given
    : `${processId}-${(++requests).toString(36)}`
}
