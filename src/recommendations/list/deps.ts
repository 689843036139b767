import type { Clock } from '../../domain/time.ts'
import type { SizesDeps } from '../../namespace-sizes/size-namespaces.ts'
import type { RecommendationStore } from '../../store/port-recommendations.ts'
import type { MachinesDeps } from '../recommend-machines/deps.ts'

export interface AdviceDeps {
  readonly now: Clock
  readonly sizes: SizesDeps
  readonly machines: MachinesDeps
  readonly store: { readonly recommendations: RecommendationStore }
}
