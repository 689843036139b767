/** The kind of a workload, "Kind/name". */
export const kindOfWorkload = (workload: string): string => workload.slice(0, workload.indexOf('/'))

/** The name of a workload, "Kind/name". */
export const nameOfWorkload = (workload: string): string => workload.slice(workload.indexOf('/') + 1)

/** Members from an object to the specification of its pods. */
export type PodSpecPath = readonly string[]

/** A kind of Kubernetes workload that can be named in a manifest. */
export interface WorkloadKind {
  readonly apiVersion: string
  /** Undefined if its containers cannot be changed by name: kubectl and kustomize do that only for built-in kinds. */
  readonly podSpec: PodSpecPath | undefined
}

const template = ['spec', 'template', 'spec']

/**
 * Sources: kubernetes.io/docs/reference/kubernetes-api/workload-resources; for Rollout
 * argoproj.github.io/argo-rollouts.
 */
const kinds: Readonly<Record<string, WorkloadKind>> = {
  Deployment: { apiVersion: 'apps/v1', podSpec: template },
  StatefulSet: { apiVersion: 'apps/v1', podSpec: template },
  DaemonSet: { apiVersion: 'apps/v1', podSpec: template },
  ReplicaSet: { apiVersion: 'apps/v1', podSpec: template },
  CronJob: { apiVersion: 'batch/v1', podSpec: ['spec', 'jobTemplate', ...template] },
  ReplicationController: { apiVersion: 'v1', podSpec: template },
  Rollout: { apiVersion: 'argoproj.io/v1alpha1', podSpec: undefined },
}

/** Undefined if manifests for the kind are not supported. */
export const workloadKind = (kind: string): WorkloadKind | undefined =>
  Object.hasOwn(kinds, kind) ? kinds[kind] : undefined

/** Returns why no patch can change the containers of a kind; undefined if one can. */
export function whyNotPatched(kind: string): string | undefined {
  if (workloadKind(kind)?.podSpec !== undefined) return undefined
  return Object.hasOwn(reasons, kind)
    ? reasons[kind]
    : 'patches for this kind are not supported; change what creates it'
}

const reasons: Readonly<Record<string, string>> = {
  Job: 'the pods of a Job cannot be changed once it runs; change what creates it',
  Pod: 'it does not belong to a workload; change what creates it',
  Node: 'it is a static pod; change its manifest on the node',
  Rollout:
    'it is a custom resource, and a patch would replace its containers instead of changing them; change its manifest',
}
