import { hash } from 'node:crypto'

/** Returns an entity tag of RFC 9110, with its quotation marks, for the content that it identifies. */
export const entityTagOf = (content: string | Uint8Array): string =>
  `"${hash('sha256', content, 'base64url').slice(0, 22)}"`

/** Whether a state with this entity tag is one that a writer expects. */
export type Precondition = (etag: string) => boolean
