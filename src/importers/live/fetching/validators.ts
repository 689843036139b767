/** What a server said of a document, to ask later whether it changed: RFC 9110, 13.1. */
export interface Validator {
  readonly etag?: string
  readonly lastModified?: string
}

/** By address. They are kept with the prices that were made of those documents, so that the two never part. */
export type Validators = Readonly<Record<string, Validator>>

export function conditionHeaders(validator: Validator | undefined): Record<string, string> {
  if (validator === undefined) return {}
  return {
    ...(validator.etag === undefined ? {} : { 'if-none-match': validator.etag }),
    ...(validator.lastModified === undefined ? {} : { 'if-modified-since': validator.lastModified }),
  }
}

export function validatorOf(headers: Headers): Validator | undefined {
  const etag = headers.get('etag')
  const lastModified = headers.get('last-modified')
  if (etag === null && lastModified === null) return undefined
  return {
    ...(etag === null ? {} : { etag }),
    ...(lastModified === null ? {} : { lastModified }),
  }
}
