import { hash } from 'node:crypto'

/** Returns an entity tag of RFC 9110, with its quotation marks, for a text that identifies a state. */
export const entityTagOf = (text: string): string => `"${hash('sha256', text, 'base64url').slice(0, 22)}"`

/** Whether a state with this entity tag is one that a writer expects. */
export type Precondition = (etag: string) => boolean
