import type { FieldError } from '../../domain/problem.ts'

export const usageKinds = ['container', 'process'] as const
export type UsageKind = (typeof usageKinds)[number]

export type UsageId =
  | {
      readonly kind: 'container'
      readonly cluster: string
      readonly namespace: string
      /** Kind/name. */
      readonly workload: string
      readonly container: string
    }
  | { readonly kind: 'process'; readonly vm: string; readonly group: string; readonly process: string }

/** Names of Kubernetes hold no slash, a cluster's or a process's may. */
const containerId = /^(.+)\/([^/]+)\/([^/]+\/[^/]+)\/([^/]+)$/
const processId = /^([^/]+)\/([^/]+)\/(.+)$/

/** prod/shop/Deployment/web/app, or db-1/system/postgres. */
export function parseUsageId(kind: UsageKind, id: string, errors: FieldError[]): UsageId | undefined {
  if (kind === 'container') {
    const [, cluster, namespace, workload, container] = containerId.exec(id) ?? []
    if (container !== undefined)
      return { kind, cluster: cluster!, namespace: namespace!, workload: workload!, container }
    errors.push({ pointer: '/id', message: 'must be cluster/namespace/Kind/workload/container' })
    return undefined
  }
  const [, vm, group, process] = processId.exec(id) ?? []
  if (process !== undefined) return { kind, vm: vm!, group: group!, process }
  errors.push({ pointer: '/id', message: 'must be vm/group/process' })
  return undefined
}
