/** A request that can never be taken, however often it is sent. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest'
}
