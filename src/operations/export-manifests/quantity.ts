/** [below, step]: what is smaller than `below` is rounded up to whole steps, so that at most a tenth is added. */
type Steps = readonly (readonly [below: number, step: number])[]

const millicoreSteps: Steps = [
  [50, 1],
  [100, 5],
  [500, 10],
  [2000, 50],
  [10_000, 100],
  [Number.POSITIVE_INFINITY, 500],
]
const mebibyteSteps: Steps = [
  [64, 1],
  [256, 4],
  [512, 16],
  [1024, 32],
  [2048, 64],
  [8192, 128],
  [Number.POSITIVE_INFINITY, 512],
]

/** Up to the next readable quantity: 0.2437 -> 250m, 1.51 -> 1550m, 2 -> "2". */
export function cpuQuantity(cores: number): string {
  const millicores = roundUp(cores * 1000, millicoreSteps)
  return millicores % 1000 === 0 ? String(millicores / 1000) : `${millicores}m`
}

/** 0.48 -> 496Mi, 0.5 -> 512Mi, 2 -> 2Gi. */
export function memoryQuantity(gib: number): string {
  const mebibytes = roundUp(gib * 1024, mebibyteSteps)
  return mebibytes % 1024 === 0 ? `${mebibytes / 1024}Gi` : `${mebibytes}Mi`
}

/** Never 0: a request of 0 has no effect. */
function roundUp(value: number, steps: Steps): number {
  const exact = Number(value.toPrecision(12))
  const [, step] = steps.find(([below]) => exact < below)!
  return Math.max(step, Math.ceil(exact / step) * step)
}
