// Adds what Node 26 has and Node 24 lacks. Every entry point of the program and of its threads imports this file first.

for (const { prototype } of [Map, WeakMap] as { prototype: Map<unknown, unknown> }[]) {
  if (prototype.getOrInsertComputed !== undefined) continue
  Object.defineProperties(prototype, {
    getOrInsert: {
      value(this: Map<unknown, unknown>, key: unknown, value: unknown) {
        if (!this.has(key)) this.set(key, value)
        return this.get(key)
      },
    },
    getOrInsertComputed: {
      value(this: Map<unknown, unknown>, key: unknown, compute: (key: unknown) => unknown) {
        if (!this.has(key)) this.set(key, compute(key))
        return this.get(key)
      },
    },
  })
}
