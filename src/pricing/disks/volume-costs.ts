import type { CostPart } from '../../costs/parts/cost-part.ts'
import { NotFound } from '../../domain/not-found.ts'
import { readVolumeDays } from '../../usage/reading/volume-days.ts'
import { VolumePrices, type VolumesDeps } from './volume-prices.ts'

/** Persistent volumes, from the first to the last hour in which they were seen on a day. Those without a price are left out. */
export const volumeCosts = (deps: VolumesDeps): CostPart => ({
  name: 'volumes',
  async collect(organisation, { cluster, namespace, hours }, sink) {
    const days = await readVolumeDays(deps.store.usage, organisation, { cluster, hours })
    if (days.length === 0) return
    const prices = await VolumePrices.open(deps, organisation, cluster)
    for (const day of days) {
      if (namespace !== undefined && day.namespace !== namespace) continue
      const disk = prices.priceOf(day)
      if (disk instanceof NotFound) continue
      const { type, region, isEstimate } = disk.offer
      const workload =
        day.claim === '' ? `PersistentVolume/${day.volume}` : `PersistentVolumeClaim/${day.claim}`
      const place = { cluster: day.cluster, namespace: day.namespace, workload, node: undefined }
      sink.addCharge({
        place: { ...place, storage_class: day.storageClass },
        hours: { from: day.firstHour, to: day.lastHour + 1 },
        priceKind: `${region}/${type}`,
        units: day.gib,
        unitPerHourUsd: disk.pricePerHourUsd / day.gib,
        isEstimate,
      })
    }
  },
})
