import type { Clock } from '../../domain/time.ts'
import type { Store } from '../../store/port.ts'
import type { RecommendationStore } from '../../store/port-recommendations.ts'
import type { SizesDeps } from '../containers/size-namespaces.ts'
import type { MachinesDeps } from '../machines/deps.ts'

export interface RecommendationDeps {
  readonly now: Clock
  readonly sizes: SizesDeps
  readonly machines: MachinesDeps
  readonly store: { readonly recommendations: RecommendationStore } & Pick<Store, 'settings'>
}
