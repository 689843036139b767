/**
 * GiB of local disk in a machine type, which its price includes.
 * Source: https://cloud.google.com/compute/docs/general-purpose-machines, .../compute-optimized-machines,
 * .../storage-optimized-machines, .../accelerator-optimized-machines; the price facts agree with each line.
 */
export function localDiskGib(instanceType: string, gpuCount: number): number {
  const match = /^([a-z]\d[a-z]?)-[a-z]+-(\d+)-(lssd|highlssd|standardlssd)(-metal)?$/.exec(instanceType)
  if (match !== null) {
    const [, series, vcpus, kind] = match
    return disks[series === 'z3' ? `z3-${kind}` : series!]?.[Number(vcpus)] ?? Number.NaN
  }
  if (/^a2-ultragpu-/.test(instanceType)) return 375 * gpuCount
  return /^a3-(high|mega)gpu-/.test(instanceType) ? 750 * gpuCount : 0
}

const of = (gib: number, byVcpus: Record<number, number>): Record<number, number> =>
  Object.fromEntries(Object.entries(byVcpus).map(([vcpus, count]) => [vcpus, count * gib]))

/** Disks by vCPUs. */
const disks: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  c3: of(375, { 4: 1, 8: 2, 22: 4, 44: 8, 88: 16, 176: 32 }),
  c3d: of(375, { 8: 1, 16: 1, 30: 2, 60: 4, 90: 8, 180: 16, 360: 32 }),
  c4: of(375, { 4: 1, 8: 1, 16: 2, 24: 4, 32: 5, 48: 8, 96: 16, 144: 24, 192: 32, 288: 48 }),
  c4a: of(375, { 4: 1, 8: 2, 16: 4, 32: 6, 48: 10, 64: 14, 72: 16 }),
  c4d: of(375, { 8: 1, 16: 1, 32: 2, 48: 4, 64: 6, 96: 8, 192: 16, 384: 32 }),
  'z3-highlssd': of(3000, { 8: 1, 16: 2, 22: 3, 32: 4, 44: 6, 88: 12, 192: 24 }),
  'z3-standardlssd': of(3000, { 14: 1, 22: 2, 44: 3, 88: 6, 176: 12 }),
}
