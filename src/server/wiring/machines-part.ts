import type { NodeLoadCache } from '../../costs/clusters/node-load-cache.ts'
import { newProcessAdvisor } from '../../decisions/processes/decide-machine.ts'
import type { Clock } from '../../domain/time.ts'
import type { PricingDeps } from '../../pricing/market.ts'
import type { MachinesDeps } from '../../recommendations/machines/deps.ts'
import { MachineFactsCache } from '../../recommendations/machines/usage/machine-facts-cache.ts'
import type { Store } from '../../store/port.ts'
import type { HeavyReads } from '../heavy-reads.ts'
import { computeGatewayRoutes } from '../routes/usage/compute-gateway.ts'
import { machineRoutes } from '../routes/usage/machines.ts'
import { sourceRoutes } from '../routes/usage/sources.ts'
import { type SelfMonitor, startSelfMonitor } from './self-monitoring.ts'
import type { ServiceContext, ServicePart } from './service-part.ts'

/** Usage, sizes and costs of machines. The service itself measures the machine that it runs on. */
export function machinesPart(
  context: ServiceContext,
  pricing: PricingDeps,
  reads: HeavyReads,
  loads: NodeLoadCache,
) {
  const { settings, store, now, log } = context
  let watch: SelfMonitor | undefined
  const deps = machinesDeps(store, now, pricing)
  return {
    deps,
    routes: [
      machineRoutes(deps, reads),
      computeGatewayRoutes({ ...deps, store, loads }, reads),
      sourceRoutes({ store, now }, reads),
    ],
    start: async () => {
      if (!settings.watchSelf) return
      if (process.platform === 'linux') watch = startSelfMonitor(context)
      else log('info', 'this machine is not measured: only Linux is supported')
    },
    stop: async () => {
      await watch?.stop()
    },
  } satisfies ServicePart & Record<string, unknown>
}

export const machinesDeps = (
  store: Pick<Store, 'usage' | 'decisions'>,
  now: Clock,
  pricing: PricingDeps,
): MachinesDeps => ({
  store,
  now,
  pricing,
  adviseProcess: newProcessAdvisor(),
  facts: new MachineFactsCache(store, now),
})
