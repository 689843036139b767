/** The service writes patches for this many recommendations at once. */
const maxPatched = 400

/** Divides recommendations into requests. A workload stays whole, because a second patch would undo the first. */
export function patchParts<
  Of extends { readonly namespace: string | null; readonly workload: string | null },
>(recommendations: readonly Of[]): Of[][] {
  const workloads = Map.groupBy(recommendations, ({ namespace, workload }) =>
    JSON.stringify([namespace, workload]),
  )
  const parts: Of[][] = [[]]
  for (const [, of] of [...workloads].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (parts.at(-1)!.length + of.length > maxPatched) parts.push([])
    parts.at(-1)!.push(...of)
  }
  return parts
}
