import { usualReserve } from '../../domain/node-reserve.ts'
import type { KubernetesNodes } from '../../domain/provider.ts'

/** Its published shares are those that are also used where nothing is published. */
export const gkeNodes: KubernetesNodes = { service: 'Google Kubernetes Engine', reserve: usualReserve }
