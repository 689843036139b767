import { nameOfWorkload } from '../../domain/subject.ts'
import { matchesPattern } from '../../domain/text.ts'

/** Annotations of the pod template by which a webhook sets the size of the container that it injects. */
interface SizeAnnotations {
  readonly cpuRequest: string
  readonly memoryRequest: string
  readonly cpuLimit: string
  readonly memoryLimit: string
}

/**
 * Containers that belong to something else than the workload in whose pods they run. A member that is absent matches everything,
 * and * matches any text.
 */
export interface OwnerRule {
  /** Who sets the size of the container, as in "Istio". */
  readonly owner: string
  readonly container?: string
  readonly namespace?: string
  readonly workload?: string
  /** Injected into the pods of a workload that has containers of its own, rather than managed as a whole. */
  readonly isInjected: boolean
  readonly annotations?: SizeAnnotations
  /** A sizing rule of the organisation says so. */
  readonly isOfUser?: boolean
}

const injected = (owner: string, containers: readonly string[], annotations?: SizeAnnotations): OwnerRule[] =>
  containers.map((container) => ({
    owner,
    container,
    isInjected: true,
    ...(annotations === undefined ? {} : { annotations }),
  }))

const managed = (owner: string, namespace: string, workloads: readonly string[] = ['*']): OwnerRule[] =>
  workloads.map((workload) => ({ owner, namespace, workload, isInjected: false }))

/** Sources: the documentation of each project and provider; for annotations, istio.io, linkerd.io, consul.io, dapr.io, vaultproject.io. */
const knownOwners: readonly OwnerRule[] = [
  ...injected('Istio', ['istio-proxy', 'istio-init', 'istio-validation'], {
    cpuRequest: 'sidecar.istio.io/proxyCPU',
    memoryRequest: 'sidecar.istio.io/proxyMemory',
    cpuLimit: 'sidecar.istio.io/proxyCPULimit',
    memoryLimit: 'sidecar.istio.io/proxyMemoryLimit',
  }),
  ...injected('Linkerd', ['linkerd-proxy', 'linkerd-init', 'linkerd-network-validator'], {
    cpuRequest: 'config.linkerd.io/proxy-cpu-request',
    memoryRequest: 'config.linkerd.io/proxy-memory-request',
    cpuLimit: 'config.linkerd.io/proxy-cpu-limit',
    memoryLimit: 'config.linkerd.io/proxy-memory-limit',
  }),
  ...injected('Consul', ['consul-dataplane', 'consul-connect-inject-init', 'envoy-sidecar'], {
    cpuRequest: 'consul.hashicorp.com/sidecar-proxy-cpu-request',
    memoryRequest: 'consul.hashicorp.com/sidecar-proxy-memory-request',
    cpuLimit: 'consul.hashicorp.com/sidecar-proxy-cpu-limit',
    memoryLimit: 'consul.hashicorp.com/sidecar-proxy-memory-limit',
  }),
  ...injected('Dapr', ['daprd'], {
    cpuRequest: 'dapr.io/sidecar-cpu-request',
    memoryRequest: 'dapr.io/sidecar-memory-request',
    cpuLimit: 'dapr.io/sidecar-cpu-limit',
    memoryLimit: 'dapr.io/sidecar-memory-limit',
  }),
  ...injected('Vault', ['vault-agent', 'vault-agent-init'], {
    cpuRequest: 'vault.hashicorp.com/agent-requests-cpu',
    memoryRequest: 'vault.hashicorp.com/agent-requests-mem',
    cpuLimit: 'vault.hashicorp.com/agent-limits-cpu',
    memoryLimit: 'vault.hashicorp.com/agent-limits-mem',
  }),
  ...injected('the Cloud SQL proxy operator', ['csql-*', 'cloud-sql-proxy', 'cloudsql-proxy']),
  ...injected('the OpenTelemetry operator', ['otc-container', 'opentelemetry-auto-instrumentation*']),
  ...injected('a log agent', ['fluent-bit', 'fluentbit', 'fluentd', 'filebeat', 'promtail']),
  ...managed('the provider of the cluster', 'kube-system', [
    ...['DaemonSet/kube-proxy', 'Deployment/coredns', 'Deployment/coredns-autoscaler'],
    ...['Deployment/konnectivity-agent', 'DaemonSet/konnectivity-agent'],
    // EKS
    ...[
      'DaemonSet/aws-node',
      'DaemonSet/eks-pod-identity-agent',
      'DaemonSet/ebs-csi-node',
      'DaemonSet/efs-csi-node',
    ],
    ...['Deployment/ebs-csi-controller', 'Deployment/efs-csi-controller'],
    // GKE
    ...['Deployment/kube-dns', 'Deployment/kube-dns-autoscaler', 'Deployment/event-exporter-gke'],
    ...['Deployment/l7-default-backend', 'Deployment/metrics-server-v*', 'DaemonSet/fluentbit-gke'],
    ...['DaemonSet/gke-metrics-agent', 'DaemonSet/gke-metadata-server', 'DaemonSet/netd', 'DaemonSet/anetd'],
    ...['DaemonSet/pdcsi-node', 'DaemonSet/ip-masq-agent', 'DaemonSet/node-local-dns'],
    // AKS
    ...['DaemonSet/azure-cns', 'DaemonSet/azure-ip-masq-agent', 'DaemonSet/cloud-node-manager'],
    ...[
      'DaemonSet/csi-azuredisk-node',
      'DaemonSet/csi-azurefile-node',
      'DaemonSet/ama-logs',
      'Deployment/ama-logs-rs',
    ],
    ...['DaemonSet/ama-metrics-node', 'Deployment/ama-metrics*', 'DaemonSet/omsagent'],
  ]),
  ...managed('the provider of the cluster', 'gke-managed-*'),
  ...managed('the provider of the cluster', 'gmp-system'),
]

interface OwnedContainer {
  readonly namespace: string
  readonly workload: string
  readonly name: string
  readonly managedBy?: string | undefined
}

/** Who sets the size of a container; undefined if its workload does. A sizing rule of the organisation comes first. */
export function containerOwner({
  namespace,
  workload,
  name,
  managedBy,
}: OwnedContainer): OwnerRule | undefined {
  if (managedBy !== undefined) return { owner: managedBy, isInjected: true, isOfUser: true }
  const rule = knownOwners.find(
    (one) =>
      matchesPattern(one.container, name) &&
      matchesPattern(one.namespace, namespace) &&
      matchesPattern(one.workload, workload),
  )
  return rule?.isInjected && isNamedLike(nameOfWorkload(workload), name) ? undefined : rule
}

/** A workload that runs nothing but such a container: DaemonSet/fluent-bit, Deployment/istio-ingressgateway. */
const isNamedLike = (workload: string, container: string): boolean =>
  workload.includes(container) || workload.startsWith('istio-')

/** Why the size of a container is not set in the manifest of its workload. */
export function ownerReason(container: OwnedContainer): string[] {
  const rule = containerOwner(container)
  if (rule === undefined) return []
  if (rule.isOfUser) return [`A sizing rule says that ${rule.owner} sets its size, so it is in no patch.`]
  if (!rule.isInjected) return [`${capitalised(rule.owner)} manages it, so it is in no patch.`]
  const how = rule.annotations === undefined ? 'it is in no patch' : 'patches set its annotations'
  return [`${capitalised(rule.owner)} injects it, so ${how}.`]
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Whether the provider of the cluster adds and removes the workload. */
export const isManagedWorkload = (namespace: string, workload: string): boolean =>
  containerOwner({ namespace, workload, name: '' })?.isInjected === false
