import { NodeLoadCache } from '../../costs/clusters/node-load-cache.ts'
import type { CostPart } from '../../costs/parts/cost-part.ts'
import { machineCosts } from '../../costs/parts/machine-costs.ts'
import { CostsCache } from '../../costs/report/costs-answer.ts'
import { sharingOf } from '../../costs/report/organisation-sharing.ts'
import { ModelCache } from '../../decisions/model/model-cache.ts'
import type { Clock } from '../../domain/time.ts'
import {
  type ClosedPriceDeps,
  closedPricesVersion,
  closePrices,
  nodePricesOver,
} from '../../pricing/closed-prices.ts'
import { ownDisks } from '../../pricing/disks/own-disks.ts'
import { volumeCosts } from '../../pricing/disks/volume-costs.ts'
import { loadBalancerCosts } from '../../pricing/load-balancer-costs.ts'
import { marketOf, type PricingDeps } from '../../pricing/market.ts'
import { networkCosts } from '../../pricing/network-costs.ts'
import { compareRules } from '../../recommendations/containers/compare-rules.ts'
import { sizingRulesOf } from '../../recommendations/containers/organisation-rules.ts'
import { preferenceOf } from '../../recommendations/containers/preference.ts'
import type { SizesDeps } from '../../recommendations/containers/size-namespaces.ts'
import type { Store } from '../../store/port.ts'
import { lateUsageVersion } from '../../usage/late-usage.ts'
import type { HeavyReads } from '../heavy-reads.ts'
import { clusterRoutes } from '../routes/usage/clusters.ts'
import { costRecountRoutes } from '../routes/usage/cost-recounts.ts'
import { costRoutes } from '../routes/usage/costs.ts'
import { namespaceRoutes } from '../routes/usage/namespaces.ts'
import { sharingRoutes, sizingRoutes, sizingRulesRoutes } from '../routes/usage/sizing.ts'
import { volumeRoutes } from '../routes/usage/volumes.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'
import { trainModels } from './training-thread.ts'

const trainEveryMs = 60_000
const closeEveryMs = 600_000

export function sizesPart(
  { store, now, settings, reportError }: ServiceContext,
  pricing: PricingDeps,
  reads: HeavyReads,
) {
  const models = new ModelCache(store, now)
  const basis = sizesBasis({ store, now }, pricing)
  const deps = sizesDeps(store, pricing, now, models)
  const costsCache = new CostsCache((organisation) => costsBasis({ store, now }, pricing, organisation))
  const sharing = (organisation: string) => sharingOf({ store }, organisation)
  const costs = {
    ...deps,
    labels: settings.costLabels,
    costsCache,
    sharingOf: sharing,
    parts: costParts({ store, pricing, now }),
    pricing,
  }
  const stopping = new AbortController()

  async function closeAll(): Promise<void> {
    const partitions = await store.usage.partitions()
    for (const organisation of new Set(partitions.map((partition) => partition.organisation))) {
      if (stopping.signal.aborted) return
      await closePrices({ pricing, store, now }, organisation)
    }
  }

  return {
    deps,
    costs,
    basis,
    routes: [
      namespaceRoutes(deps, reads),
      costRoutes(costs, reads),
      costRecountRoutes({ store, pricing, now }),
      clusterRoutes({ sizes: deps, pricing }, reads),
      volumeRoutes({ store, now, pricing }, reads),
      sizingRoutes({ store }),
      sharingRoutes({ store }),
      sizingRulesRoutes({
        store,
        compare: async (organisation, rules, request, reply) =>
          compareRules(deps, organisation, rules, await reads.admit(request, reply)),
      }),
    ],
    jobs: [
      {
        name: 'training the sizing models',
        everyMs: trainEveryMs,
        run: trainModels({ store, now, settings, reportError }, models, stopping.signal),
      },
      { name: 'keeping the prices of days that are over', everyMs: closeEveryMs, run: closeAll },
    ],
    // The lease is released while the store is still open, so that the next start does not wait for it to expire.
    stop: async () => stopping.abort(),
  } satisfies ServicePart & Record<string, unknown>
}

/** The parts of the bill besides containers and their nodes. */
export const costParts = (
  deps: ClosedPriceDeps & { readonly store: Pick<Store, 'usage'> },
): readonly CostPart[] => [
  machineCosts(deps.store),
  volumeCosts(deps),
  loadBalancerCosts(deps),
  networkCosts(deps),
]

/** Describes the prices, preference, rules, commitments and older usage that the list of recommendations depends on besides decisions. */
const sizesBasis =
  ({ store, now }: BasisDeps, pricing: PricingDeps) =>
  async (organisation: string): Promise<string> =>
    JSON.stringify([
      await costsBasis({ store, now }, pricing, organisation),
      (await preferenceOf({ store }, organisation)) ?? null,
      await sizingRulesOf({ store }, organisation),
      (await pricing.commitments?.(organisation)) ?? [],
    ])

type BasisDeps = Pick<ServiceContext, 'store' | 'now'>

/** Costs are kept as long as prices and older usage are the same. */
async function costsBasis({ store, now }: BasisDeps, pricing: PricingDeps, organisation: string) {
  const { catalogue, own } = await marketOf(pricing, organisation)
  const late = lateUsageVersion(await store.usage.lateUsageAt(organisation), now())
  const closed = await closedPricesVersion(store.settings, organisation)
  const disks = (await ownDisks({ store }, organisation)).map((row) => row.updated_at + row.id)
  return [catalogue.id, own.version, late, closed, ...disks].join(' ')
}

export function sizesDeps(
  store: Pick<Store, 'usage' | 'settings' | 'models' | 'decisions' | 'nodePrices'>,
  pricing: PricingDeps,
  now: Clock,
  models = new ModelCache(store, now),
): SizesDeps {
  return {
    store,
    now,
    loads: new NodeLoadCache(store, now),
    preferenceOf: async (organisation) => (await preferenceOf({ store }, organisation)) ?? {},
    modelOf: (organisation) => models.versionOf(organisation),
    rules: (organisation) => sizingRulesOf({ store }, organisation),
    // The store is read each time, because it is not open from the start.
    nodePrices: (organisation, cluster, hours) =>
      nodePricesOver({ pricing, store, now }, organisation, cluster, hours),
  }
}
