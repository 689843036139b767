import type { Yaml } from './yaml.ts'

/** A kind of workload whose pods can be resized by applying a part of it. */
export interface WorkloadKind {
  readonly apiVersion: string
  /** Members from the object down to its pods' specification. */
  readonly podSpec: readonly string[]
}

const template = ['spec', 'template', 'spec']

/** kubernetes.io/docs/reference/kubernetes-api/workload-resources; Rollout: argoproj.github.io/argo-rollouts. */
const kinds: Readonly<Record<string, WorkloadKind>> = {
  Deployment: { apiVersion: 'apps/v1', podSpec: template },
  StatefulSet: { apiVersion: 'apps/v1', podSpec: template },
  DaemonSet: { apiVersion: 'apps/v1', podSpec: template },
  ReplicaSet: { apiVersion: 'apps/v1', podSpec: template },
  CronJob: { apiVersion: 'batch/v1', podSpec: ['spec', 'jobTemplate', ...template] },
  ReplicationController: { apiVersion: 'v1', podSpec: template },
  Rollout: { apiVersion: 'argoproj.io/v1alpha1', podSpec: template },
}

export const kindNamed = (kind: string): WorkloadKind | undefined =>
  Object.hasOwn(kinds, kind) ? kinds[kind] : undefined

/** Why a kind is left out. */
export const unsupportedReason = (kind: string): string =>
  reasons[kind] ?? 'how to change this kind is not known here; change what made it'

const reasons: Readonly<Record<string, string>> = {
  Job: 'the pods of a Job cannot be changed once it runs; change what makes it',
  Pod: 'it belongs to no workload; change what makes it',
  Node: 'it is a static pod; change its file on the node',
}

export function nestUnder(members: readonly string[], value: Yaml): Yaml {
  return members.reduceRight<Yaml>((inner, member) => ({ [member]: inner }), value)
}
