import { advicePart } from './advice-part.ts'
import { demoPart } from './demo-part.ts'
import { heavyReads } from './heavy-reads.ts'
import { ingestPart } from './ingest-part.ts'
import { keysPart } from './keys-part.ts'
import { machinesPart } from './machines-part.ts'
import { metricsPart } from './metrics-part.ts'
import { pricingPart } from './pricing-part.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'
import { sizesPart } from './sizes-part.ts'
import { warmingPart } from './warming-part.ts'

export type ServiceParts = Awaited<ReturnType<typeof createParts>>

/** Creates the parts of the service; none is started yet. */
export async function createParts(context: ServiceContext, writes: ServicePart) {
  const keys = keysPart(context)
  const pricing = await pricingPart(context)
  const reads = heavyReads(context)
  const ingest = ingestPart(context)
  const sizes = sizesPart(context, pricing.deps, reads)
  const machines = machinesPart(context, pricing.deps, reads, sizes.deps.loads)
  const usage = { sizes: sizes.deps, machines: machines.deps }
  const advice = advicePart(context, usage, sizes.basis, reads)
  const warmed = {
    sizes: sizes.deps,
    costs: sizes.costs,
    machines: machines.deps.machines,
    advice: advice.deps.advice,
  }
  /** In the order in which they are started and stopped. */
  const all: readonly ServicePart[] = [
    writes,
    keys,
    pricing,
    ingest,
    sizes,
    machines,
    metricsPart(context, usage, reads),
    demoPart(context, keys.deps),
    advice,
    warmingPart(context, warmed, reads),
  ]
  return { all, keys, pricing, ingest, sizes, advice, reads }
}
