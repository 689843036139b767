/** A number of cores as Kubernetes writes it, rounded up to whole millicores: 0.2437 -> 244m, 2 -> 2. */
export function cpuQuantity(cores: number): string {
  const millicores = millicoresOf(cores)
  return millicores % 1000 === 0 ? String(millicores / 1000) : `${millicores}m`
}

/** Memory as Kubernetes writes it, rounded up to whole MiB: 0.48 -> 492Mi, 2 -> 2Gi. */
export function memoryQuantity(gib: number): string {
  const mebibytes = mebibytesOf(gib)
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024}Gi` : `${mebibytes}Mi`
}

export const millicoresOf = (cores: number): number => roundUp(cores * 1000)
export const mebibytesOf = (gib: number): number => roundUp(gib * 1024)

/** Never returns 0, because a request of 0 has no effect. Sizes in answers have six decimals, so that 595 MiB read 595.0003. */
const roundUp = (value: number): number => Math.max(1, Math.ceil(Number((value - 0.001).toPrecision(12))))

/** Sorts the values. */
export function median(values: number[]): number {
  values.sort((a, b) => a - b)
  const half = values.length >> 1
  const upper = values[half]!
  return values.length % 2 === 1 ? upper : values[half - 1]! / 2 + upper / 2
}
