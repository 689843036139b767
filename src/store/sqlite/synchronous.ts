/** A port as the database thread serves it: the same methods, without promises. */
export type Synchronous<Port> = {
  [Method in keyof Port]: Port[Method] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Result
    : never
}
