/** The service changes this many recommendations at once. */
const maxDecided = 1000

/** Divides recommendations that are decided together into requests. */
export const decideParts = <T>(chosen: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(chosen.length / maxDecided) }, (_, part) =>
    chosen.slice(part * maxDecided, (part + 1) * maxDecided),
  )
