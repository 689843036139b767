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
