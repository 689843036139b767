/** Error classes by name: an error loses its class between threads, so the name travels and the class is looked up. */
export type ErrorTable = Readonly<Record<string, new (message: string) => Error>>

export interface SerializedError {
  readonly name: string
  readonly message: string
}

export const serializeError = (error: unknown): SerializedError =>
  error instanceof Error
    ? { name: error.name, message: error.message }
    : { name: 'Error', message: String(error) }

/** An error whose name is not in the table becomes a plain Error with the same message. */
export function deserializeError({ name, message }: SerializedError, errors: ErrorTable): Error {
  const ErrorClass = Object.hasOwn(errors, name) ? errors[name]! : Error
  return new ErrorClass(message)
}
