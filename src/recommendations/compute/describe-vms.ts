import { cursorOf, namesInCursor } from '../../domain/cursor.ts'
import { roundHourly, roundSum } from '../../domain/money.ts'
import { hourMs } from '../../domain/time.ts'
import { marketOf, type PricingDeps } from '../../pricing/market.ts'
import { invalidField } from '../../pricing/not-found.ts'
import { priceMachine, reportedMachine } from '../../pricing/reported-machine.ts'
import type { MachineFactsCache } from '../machines/usage/machine-facts-cache.ts'
import type { VmMetadata } from './schema.ts'

export async function describeVms(
  { pricing, facts }: { readonly pricing: PricingDeps; readonly facts: MachineFactsCache },
  organisation: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string },
): Promise<{ items: VmMetadata[]; next?: string }> {
  const after = cursor === undefined ? undefined : namesAfter(cursor, 1)[0]!
  const market = await marketOf(pricing, organisation)
  const known = await facts.factsOf(organisation)
  const names = [...known.keys()].filter((name) => after === undefined || name > after).sort()
  const items = names.slice(0, limit).map((name): VmMetadata => {
    const machine = known.get(name)!
    const reported = reportedMachine(machine)
    const price = priceMachine(pricing, market, machine)
    const { perMonthUsd } = price
    return {
      name,
      hostname: name,
      provider: reported.provider,
      region: reported.region,
      availabilityZone: reported.zone,
      instanceType: reported.instanceType,
      architecture: reported.architecture,
      operatingSystem: reported.operatingSystem,
      cpucores: reported.cores ?? null,
      ramgiB: reported.gib ?? null,
      costPerHour: price.perHourUsd === null ? null : roundHourly(price.perHourUsd),
      costPerMonth: perMonthUsd === null ? null : roundSum(perMonthUsd),
      priceSource: price.source,
      creationTime: new Date(machine.firstHour * hourMs).toISOString(),
    }
  })
  return names.length > limit ? { items, next: cursorOf([items.at(-1)!.name]) } : { items }
}

export function namesAfter(cursor: string, count: number): readonly string[] {
  const names = namesInCursor(cursor, count)
  if (names === undefined) throw invalidField('?cursor', 'must come from a Link header')
  return names
}
