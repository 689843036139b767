export type FailureCode =
  | 'needs-credential' // the list is not given away without a key or token, and there is none
  | 'credential-refused' // 401 or 403
  | 'unreachable' // no connection, or it broke, or nothing came for too long
  | 'busy' // 429 or 5xx until patience ended
  | 'not-there' // any other answer than the list
  | 'unexpected-type' // an HTML page, mostly
  | 'too-large'
  | 'truncated'
  | 'malformed' // not JSON, or not of the shape that is known
  | 'stopped'

/** A price list that could not be read. Its message is one line, names the address without its query, and never a secret. */
export class ImportFailure extends Error {
  override readonly name = 'ImportFailure'
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The same request may succeed a little later. */
export const mayPass = (failure: ImportFailure): boolean =>
  failure.code === 'unreachable' || failure.code === 'busy' || failure.code === 'truncated'

/** Where a request went, without its query, which can hold a caller's words. */
export function addressWithoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
