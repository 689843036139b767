import { hashName } from './hash-name.ts'

export interface NodeTaint {
  readonly key: string
  readonly value: string
  readonly effect: string
}

/** What decides which pods a node takes: its taints, and labels by which pods select. */
export interface NodePlacement {
  readonly taints: readonly NodeTaint[]
  readonly labels: Readonly<Record<string, string>>
}

export const anyPod: NodePlacement = { taints: [], labels: {} }

/** Equal for nodes that can take each other's pods; '' if every pod can run on them. */
export const placementKey = ({ taints, labels }: NodePlacement): string =>
  taints.length + Object.keys(labels).length === 0
    ? ''
    : JSON.stringify([taints.map(taintText).sort(), Object.entries(labels).sort()])

/** As kubectl, gcloud and az read it. */
export const taintText = ({ key, value, effect }: NodeTaint): string => `${key}=${value}:${effect}`

/** As gcloud and az read them. */
export const labelTexts = ({ labels }: NodePlacement): string[] =>
  Object.entries(labels).map((entry) => entry.join('='))

/** Whether a taint belongs to the node, rather than to its state or to an autoscaler that removes it. */
export const isLasting = ({ key, effect }: NodeTaint): boolean =>
  effect !== 'PreferNoSchedule' && !passing.test(key)

const passing = /^(node\.kubernetes\.io|node\.cloudprovider\.kubernetes\.io|karpenter\.sh)\/|^ToBeDeleted/

/** Whether a provider or Kubernetes sets a label, so that it cannot be set on a pool. */
export const isProviderLabel = (label: string): boolean =>
  /(^|\.)(kubernetes\.io|k8s\.io|amazonaws\.com|google\.com|azure\.com|karpenter\.(sh|k8s\.aws))\//.test(
    label,
  )

export const isTypeLabel = (label: string): boolean =>
  isProviderLabel(label) && /\/(instance-|machine-family)/.test(label)

const taintPrefix = 'taint/'
/** More taints of a node may replace each other, so that the attributes of a node stay few. */
const maxTaints = 16

export const taintAttribute = ({ key, effect }: NodeTaint): string =>
  `${taintPrefix}${hashName(`${key}:${effect}`) % maxTaints}`

export const isTaintAttribute = (name: string): boolean => name.startsWith(taintPrefix)

export function parseTaint(text: string): NodeTaint {
  const [, key = '', value = '', effect = ''] = /^([^=]*)=(.*):([^:]*)$/.exec(text) ?? []
  return { key, value, effect }
}
