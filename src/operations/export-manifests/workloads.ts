import type { SizedContainer } from '../recommend-sizes/sized-container.ts'
import { kindNamed, unsupportedReason, type WorkloadKind } from './kinds.ts'

export interface ManifestWorkload {
  readonly kind: string
  readonly name: string
  readonly how: WorkloadKind
  readonly containers: readonly SizedContainer[]
}

/** The workload that containers belong to, or a remark on why it cannot be written down. */
export function manifestWorkload(containers: readonly SizedContainer[]): {
  readonly workload?: ManifestWorkload
  readonly remark?: string
} {
  const { workload } = containers[0]!
  const slash = workload.indexOf('/')
  const [kind, name] = [workload.slice(0, slash), workload.slice(slash + 1)]
  const how = kindNamed(kind)
  return how === undefined
    ? { remark: `${workload} is left out: ${unsupportedReason(kind)}.` }
    : { workload: { kind, name, how, containers } }
}
