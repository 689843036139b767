import type { CostPart } from '../../costs/parts/cost-part.ts'
import { readVolumeDays } from '../../usage/reading/volume-days.ts'
import { type ClosedPriceDeps, closedPrices } from '../closed-prices.ts'
import { priceNameOf, type VolumePrice, VolumePrices } from './volume-prices.ts'

/** Persistent volumes, from the first to the last hour in which they were seen on a day. */
export const volumeCosts = (deps: ClosedPriceDeps): CostPart => ({
  name: 'volumes',
  async collect(organisation, { cluster, namespace, hours }, sink) {
    const days = await readVolumeDays(deps.store.usage, organisation, { cluster, hours })
    if (days.length === 0) return
    const closed = await closedPrices(deps, organisation, { kind: 'volume', cluster, hours })
    const prices = await VolumePrices.open(deps, organisation, cluster)
    for (const day of days) {
      if (namespace !== undefined && day.namespace !== namespace) continue
      const json = closed(day.cluster, priceNameOf(day), day.firstHour)
      const price: VolumePrice | undefined = json === undefined ? prices.unitPriceOf(day) : JSON.parse(json)
      const workload =
        day.claim === '' ? `PersistentVolume/${day.volume}` : `PersistentVolumeClaim/${day.claim}`
      const place = { cluster: day.cluster, namespace: day.namespace, workload, node: undefined }
      sink.addCharge({
        place: { ...place, storage_class: day.storageClass },
        hours: { from: day.firstHour, to: day.lastHour + 1 },
        priceKind: price?.priceKind ?? '',
        units: day.gib,
        unitPerHourUsd: price?.gibPerHourUsd ?? null,
        isEstimate: price?.isEstimate ?? false,
      })
    }
  },
})
