import type { PlanProvider } from '../../domain/planned-instance.ts'
import { awsPlans } from './aws.ts'
import { azurePlans } from './azure.ts'
import { digitaloceanPlans } from './digitalocean.ts'
import { gcpPlans } from './gcp.ts'
import { hetznerPlans } from './hetzner.ts'
import { openstackPlans, ovhcloudPlans } from './ovhcloud.ts'
import { utilityPlans } from './utility.ts'

/** Every provider of Terraform whose resources are known. How to add one: README.md beside this file. */
export const planProviders: readonly PlanProvider[] = [
  awsPlans, // instances, groups, fleets, node groups
  azurePlans, // virtual machines, scale sets, AKS
  gcpPlans, // instances, managed groups, GKE
  digitaloceanPlans, // Droplets and Kubernetes pools
  hetznerPlans, // servers
  ovhcloudPlans, // Public Cloud instances and Kubernetes pools
  openstackPlans, // OpenStack instances at OVHcloud
  utilityPlans, // resources that exist only in Terraform
]
