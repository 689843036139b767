import { useSyncExternalStore } from 'react'

/** A value to which components can subscribe. */
export class Signal<Value> {
  #value: Value
  readonly #followers = new Set<() => void>()

  constructor(value: Value) {
    this.#value = value
  }

  get = (): Value => this.#value

  set(value: Value): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const follower of [...this.#followers]) follower()
  }

  follow = (follower: () => void): (() => void) => {
    this.#followers.add(follower)
    return () => this.#followers.delete(follower)
  }
}

export function useSignal<Value>(signal: Signal<Value>): Value {
  return useSyncExternalStore(signal.follow, signal.get)
}
