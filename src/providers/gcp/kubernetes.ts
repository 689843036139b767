import { usualReserve } from '../../domain/node-reserve.ts'
import type { KubernetesNodes } from '../../domain/provider.ts'
import { writeGcloud } from './pool-writers.ts'

/** Its published shares are those that are also used where nothing is published. */
export const gkeNodes: KubernetesNodes = {
  service: 'Google Kubernetes Engine',
  poolWriters: { gcloud: writeGcloud },
  reserve: usualReserve,
}
