import type { ToolDeps } from '../mcp/tool.ts'
import { decisionsPart } from './decisions-part.ts'
import { demoPart } from './demo-part.ts'
import { heavyReads } from './heavy-reads.ts'
import { ingestPart } from './ingest-part.ts'
import { keysPart } from './keys-part.ts'
import { machinesPart } from './machines-part.ts'
import { mcpPart } from './mcp-part.ts'
import { metricsPart } from './metrics-part.ts'
import { pricingPart } from './pricing-part.ts'
import { recommendationsPart } from './recommendations-part.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'
import { sizesPart } from './sizes-part.ts'

export type ServiceParts = Awaited<ReturnType<typeof createParts>>

export async function createParts(context: ServiceContext, writes: ServicePart) {
  const keys = keysPart(context)
  const reads = heavyReads(context)
  const pricing = await pricingPart(context, reads)
  const ingest = ingestPart(context)
  const sizes = sizesPart(context, pricing.deps, reads)
  const machines = machinesPart(context, pricing.deps, reads, sizes.deps.loads)
  const usage = { sizes: sizes.deps, machines: machines.deps }
  const recommendations = recommendationsPart(context, usage, sizes.basis, reads)
  const tools: ToolDeps = {
    pricing: pricing.deps,
    now: context.now,
    usage: (use) => use({ ...sizes.deps, labels: context.settings.costLabels }),
    recommendations: (use) => use(recommendations.deps),
  }
  const demo = demoPart(context, keys.deps)
  /** In the order in which they are started and stopped. */
  const all: readonly ServicePart[] = [
    writes,
    keys,
    pricing,
    ingest,
    sizes,
    decisionsPart(context, reads),
    machines,
    metricsPart(context, { ...usage, recommendations: recommendations.deps }, reads),
    mcpPart(context, tools, reads),
    demo,
    recommendations,
  ]
  return { all, keys, pricing, ingest, sizes, recommendations, reads, demo }
}
