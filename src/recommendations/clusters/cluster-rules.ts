/** Ordered by effort, lowest first. */
export const clusterEfforts = ['fewer', 'resize', 'region', 'provider'] as const
export type ClusterEffort = (typeof clusterEfforts)[number]

/** Rules that a caller sets for every pool. */
export interface ClusterRules {
  readonly headroom: number
  readonly minNodes: number
  /** If undefined, the limit that nodes report, or else that of the provider's Kubernetes service. */
  readonly podsPerNode: number | undefined
  /** Most types of nodes that take each other's pods. */
  readonly maxPools: number
  /** Other types must cost this share less than the present ones. */
  readonly minGain: number
  /** Share of the pods of each workload that tolerates it on spot nodes, in options of their own; 0 for none. */
  readonly spotShare: number
  /** Namespaces, or workloads as "namespace/Kind/name", whose images exist for arm64. */
  readonly arm64: readonly string[]
  /** Whether other regions and providers are planned too. */
  readonly elsewhere: boolean
}

export const defaultClusterDays = 14
/** Each container has a number for each hour. */
export const maxClusterDays = 400

/** A tenth stays free, and no node is more than a third of the pool. */
export const defaultClusterRules: ClusterRules = {
  headroom: 0.1,
  minNodes: 3,
  podsPerNode: undefined,
  maxPools: 3,
  minGain: 0.05,
  spotShare: 0,
  arm64: [],
  elsewhere: false,
}

/** In place of a list of namespaces and workloads. */
const all = 'all'

/** The name of a workload is "namespace/Kind/name". */
export const hasArm64 = ({ arm64 }: Pick<ClusterRules, 'arm64'>, workload: string): boolean =>
  arm64.some((name) => name === all || name === workload || workload.startsWith(`${name}/`))
