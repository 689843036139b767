import type { FlexibleSize, Provider } from '../domain/provider.ts'
import { programFile, readAnyFileSync } from '../runtime/program-files.ts'

/** Sizes that one reservation covers: by provider and group, the units of each type. */
interface FlexibleSizesFile {
  readonly groups: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>
}

let shipped: ReadonlyMap<string, FlexibleSize> | undefined

/** Returns undefined if a reservation of the type covers no other size. */
export function flexibleSizeOf(
  { key, commitments }: Provider,
  instanceType: string,
): FlexibleSize | undefined {
  const known = commitments?.flexibleSizeOf?.(instanceType)
  if (known !== undefined) return known
  shipped ??= readShipped()
  return shipped.get(`${key}\n${instanceType.toLowerCase()}`)
}

function readShipped(): ReadonlyMap<string, FlexibleSize> {
  const { groups }: FlexibleSizesFile = JSON.parse(
    readAnyFileSync(programFile('catalogue/flexible-sizes.json')).toString(),
  )
  const sizes = new Map<string, FlexibleSize>()
  for (const [provider, byGroup] of Object.entries(groups))
    for (const [group, types] of Object.entries(byGroup))
      for (const [type, units] of Object.entries(types))
        sizes.set(`${provider}\n${type.toLowerCase()}`, { group, units })
  return sizes
}
