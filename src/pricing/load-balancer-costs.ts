import type { CostPart } from '../costs/parts/cost-part.ts'
import { sharingOf } from '../costs/report/organisation-sharing.ts'
import { hoursPerMonth } from '../domain/money.ts'
import { parseDailyName, readEntities } from '../usage/digest/entities.ts'
import { type ClosedPriceDeps, closedPrices, clusterPriceName } from './closed-prices.ts'

/** Services of the type LoadBalancer, from the first to the last hour in which they were seen on a day, at the organisation's price. */
export const loadBalancerCosts = (deps: ClosedPriceDeps): CostPart => ({
  name: 'load_balancers',
  async collect(organisation, { cluster, namespace, hours }, sink) {
    const found = await readEntities(deps.store.usage, organisation, {
      ...{ kinds: ['load-balancer'], fromHour: hours.from },
      ...(cluster === undefined ? {} : { cluster }),
    })
    if (found.size === 0) return
    const closed = await closedPrices(deps, organisation, { kind: 'load_balancer', cluster, hours })
    const { loadBalancerMonthUsd } = await sharingOf(deps, organisation)
    for (const { ref, firstHour, lastHour } of found.values()) {
      if (namespace !== undefined && ref.namespace !== namespace) continue
      const json = closed(ref.cluster, clusterPriceName, firstHour)
      const monthUsd = json === undefined ? loadBalancerMonthUsd : Number(json)
      const workload = `Service/${parseDailyName(ref.name).name}`
      sink.addCharge({
        place: { cluster: ref.cluster, namespace: ref.namespace, workload, node: undefined },
        hours: { from: firstHour, to: lastHour + 1 },
        priceKind: 'load balancer',
        units: 1,
        unitPerHourUsd: monthUsd === null ? null : monthUsd / hoursPerMonth,
      })
    }
  },
})
