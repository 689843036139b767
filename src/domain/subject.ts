/** What a digest describes: a container of a pod, or the processes of one name and cgroup on a machine. */
export type Subject = ContainerSubject | ProcessSubject

export interface NamespaceRef {
  readonly cluster: string
  readonly namespace: string
}

export interface ContainerSubject extends NamespaceRef {
  readonly kind: 'container'
  /** Each pod is one replica of its workload. */
  readonly pod: string
  readonly container: string
}

export interface ProcessSubject {
  readonly kind: 'process'
  readonly vm: string
  /** kubernetes, docker, user, system, unknown. */
  readonly group: string
  readonly process: string
  readonly cgroup: string
}

/** Returns a text that is equal only for equal subjects, because no part contains a NUL. */
export function subjectKey(subject: Subject): string {
  return subject.kind === 'container'
    ? `c\0${subject.cluster}\0${subject.namespace}\0${subject.pod}\0${subject.container}`
    : `p\0${subject.vm}\0${subject.group}\0${subject.process}\0${subject.cgroup}`
}

export function subjectOfKey(key: string): Subject {
  const [kind, first = '', second = '', third = '', fourth = ''] = key.split('\0')
  return kind === 'c'
    ? { kind: 'container', cluster: first, namespace: second, pod: third, container: fourth }
    : { kind: 'process', vm: first, group: second, process: third, cgroup: fourth }
}

/** Whether a workload, "Kind/name", runs from time to time and not all the time. */
export const isJob = (workload: string): boolean => /^(?:Cron)?Job\//.test(workload)

export const kindOfWorkload = (workload: string): string => workload.slice(0, workload.indexOf('/'))

export const nameOfWorkload = (workload: string): string => workload.slice(workload.indexOf('/') + 1)

/** Members from an object to the specification of its pods. */
export type PodSpecPath = readonly string[]

export interface WorkloadKind {
  readonly apiVersion: string
  /** Undefined if its containers cannot be changed by name: kubectl and kustomize do that only for built-in kinds. */
  readonly podSpec: PodSpecPath | undefined
}

const template = ['spec', 'template', 'spec']

/** kubernetes.io/docs/reference/kubernetes-api/workload-resources; Rollout: argoproj.github.io/argo-rollouts */
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
