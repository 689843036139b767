import type { PlanResource } from '../../domain/planned-instance.ts'
import { awsResources } from './aws.ts'
import { azureResources } from './azure.ts'
import { digitaloceanResources } from './digitalocean.ts'
import { gcpResources } from './gcp.ts'
import { hetznerResources } from './hetzner.ts'
import { ovhcloudResources } from './ovhcloud.ts'

/** Every Terraform resource that is read as machines, by provider. To add one, add a line to its provider's list. */
export const planResources: readonly PlanResource[] = [
  ...awsResources, // instances, spot requests, node groups
  ...azureResources, // virtual machines and scale sets
  ...gcpResources, // instances and managed groups
  ...digitaloceanResources, // droplets and Kubernetes pools
  ...hetznerResources, // servers
  ...ovhcloudResources, // Public Cloud instances and pools, OpenStack at OVHcloud
]
