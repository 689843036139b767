import type { PlanProvider } from '../../domain/planned-instance.ts'
import { loadOfClouds } from '../providers.ts'
import { free } from './reading.ts'

/** Resources that exist only in Terraform, and objects inside a Kubernetes cluster that start nothing. */
const utilityPlans: PlanProvider = {
  source: 'hashicorp/null, random, local, time, tls, template, archive, cloudinit, external, kubernetes',
  provider: '',
  environment: {},
  resources: [
    ...free('values and files of Terraform itself', [
      ...['null_resource', 'terraform_data', 'random_*', 'local_file', 'local_sensitive_file', 'time_*'],
      ...['tls_*', 'template_*', 'archive_file', 'cloudinit_config'],
    ]),
    ...free('objects in a Kubernetes cluster that start nothing', [
      ...['kubernetes_namespace*', 'kubernetes_config_map*', 'kubernetes_secret*', 'kubernetes_role*'],
      ...['kubernetes_service_account*', 'kubernetes_cluster_role*', 'kubernetes_limit_range*'],
      ...['kubernetes_resource_quota*', 'kubernetes_network_policy*', 'kubernetes_storage_class*'],
    ]),
  ],
}

/** Every provider of Terraform whose resources are known; last those that exist only in Terraform. */
export const planProviders: readonly PlanProvider[] = [
  ...(await loadOfClouds((cloud) => cloud.terraform?.())).flat(),
  utilityPlans,
]
