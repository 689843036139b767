import type { SizedContainer } from '../recommend-sizes/sized-container.ts'
import type { SizedNamespace } from '../recommend-sizes/sized-namespace.ts'
import { kindNamed, type WorkloadKind, whyLeftOut } from './kinds.ts'

export interface Workload {
  readonly kind: string
  readonly name: string
  readonly how: WorkloadKind
  readonly containers: readonly SizedContainer[]
}

/** The workloads of a namespace that can be written down, and remarks on those that cannot. */
export function workloadsOf({ containers }: Pick<SizedNamespace, 'containers'>): {
  readonly workloads: readonly Workload[]
  readonly remarks: readonly string[]
} {
  const workloads: Workload[] = []
  const remarks: string[] = []
  for (const [workload, members] of Map.groupBy(containers, (container) => container.workload)) {
    const slash = workload.indexOf('/')
    const [kind, name] = [workload.slice(0, slash), workload.slice(slash + 1)]
    const how = kindNamed(kind)
    if (how === undefined) remarks.push(`${workload} is left out: ${whyLeftOut(kind)}.`)
    else workloads.push({ kind, name, how, containers: members })
  }
  return { workloads, remarks }
}
