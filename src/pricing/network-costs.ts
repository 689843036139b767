import type { CostPart } from '../costs/parts/cost-part.ts'
import { sharingOf } from '../costs/report/organisation-sharing.ts'
import { dayHours } from '../domain/time.ts'
import { dailyName, type Entity, entityKey, parseDailyName, readEntities } from '../usage/digest/entities.ts'
import { type ClosedPriceDeps, closedPrices, clusterPriceName, internetGibUsd } from './closed-prices.ts'

const gibBytes = 2 ** 30

/**
 * What pods sent, by pod and day, at the organisation's price; nothing without a price. It includes traffic inside the cluster,
 * so it stands beside the costs until the organisation says which part goes to the internet.
 */
export const networkCosts = (deps: ClosedPriceDeps): CostPart => ({
  name: 'network',
  async collect(organisation, { cluster, namespace, hours }, sink) {
    const sharing = await sharingOf(deps, organisation)
    if (sharing.networkGibUsd === null) return
    // The day before has the value of the counter from which the first day counts.
    const found = await readEntities(deps.store.usage, organisation, {
      ...{ kinds: ['network'], fromHour: hours.from - dayHours },
      ...(cluster === undefined ? {} : { cluster }),
    })
    const closed = await closedPrices(deps, organisation, { kind: 'network', cluster, hours })
    const current = internetGibUsd(sharing)
    for (const entity of found.values()) {
      const { ref, firstHour, lastHour, attributes } = entity
      if (namespace !== undefined && ref.namespace !== namespace) continue
      const { name: pod, day } = parseDailyName(ref.name)
      const before = found.get(entityKey({ ...ref, name: dailyName(pod, day - 1) }))
      const json = closed(ref.cluster, clusterPriceName, firstHour)
      const gibUsd = json === undefined ? current : Number(json)
      const workload = String(attributes.get('workload')?.value ?? `Pod/${pod}`)
      sink.addCharge({
        place: { cluster: ref.cluster, namespace: ref.namespace, workload, pod, node: undefined },
        hours: { from: firstHour, to: lastHour + 1 },
        priceKind: 'network',
        units: sentBytes(entity, before) / gibBytes / (lastHour + 1 - firstHour),
        unitPerHourUsd: gibUsd ?? null,
        ...(gibUsd === undefined ? { atMostPerHourUsd: sharing.networkGibUsd } : {}),
      })
    }
  },
})

/** From the last value of the day before, unless the counter began again, to the last of the day. */
function sentBytes(day: Entity, before: Entity | undefined): number {
  const [first, last] = [bytesAt(day, 'min'), bytesAt(day, 'max')]
  const earlier = before === undefined ? first : bytesAt(before, 'max')
  return last - (earlier <= first ? earlier : first)
}

const bytesAt = ({ attributes }: Entity, which: 'min' | 'max'): number =>
  Number(attributes.get(`${which}/bytes`)?.value ?? 0)
