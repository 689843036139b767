import type { PlanProvider } from '../../domain/planned-instance.ts'
import { notingSystemDisks } from '../terraform/disks.ts'
import { free, machines, poolNodes, unpriced } from '../terraform/reading.ts'
import { gcpCharges } from './terraform/charges.ts'
import { clusterAttributes, gkeCluster, gkeNodePool, gkePoolAttributes } from './terraform/kubernetes.ts'
import {
  groupAttributes,
  instance,
  instanceAttributes,
  instanceTemplateAttributes,
  managedGroup,
} from './terraform/machines.ts'

/** Sources: the documentation of the Terraform provider hashicorp/google; for what is free, the pricing pages of Google Cloud. */
export const gcpPlans: PlanProvider = {
  source: 'hashicorp/google',
  provider: 'gcp',
  environment: {
    region: ['GOOGLE_REGION', 'GCLOUD_REGION', 'CLOUDSDK_COMPUTE_REGION'],
    zone: ['GOOGLE_ZONE', 'GCLOUD_ZONE', 'CLOUDSDK_COMPUTE_ZONE'],
  },
  resources: notingSystemDisks([
    machines('google_compute_instance', 'instance', instanceAttributes, instance),
    machines(
      'google_compute_instance_group_manager',
      'machines of an instance template of the same plan',
      groupAttributes,
      managedGroup,
    ),
    machines(
      'google_compute_region_instance_group_manager',
      'machines of an instance template of the same plan',
      groupAttributes,
      managedGroup,
    ),
    poolNodes(
      'google_container_cluster',
      'GKE cluster: its fee, and nodes of the default pool and of its own pools',
      clusterAttributes,
      gkeCluster,
    ),
    poolNodes(
      'google_container_node_pool',
      'GKE node pool; in a region it has three zones unless the plan says otherwise',
      [...gkePoolAttributes, 'name', 'cluster', 'location', 'node_locations'],
      gkeNodePool,
    ),
    ...free(
      'instance template',
      ['google_compute_instance_template', 'google_compute_region_instance_template'],
      instanceTemplateAttributes,
    ),
    ...free(
      'autoscaler',
      ['google_compute_autoscaler', 'google_compute_region_autoscaler'],
      ['target', 'autoscaling_policy.min_replicas', 'autoscaling_policy.max_replicas'],
    ),
    ...free('network without traffic', [
      ...['google_compute_network', 'google_compute_subnetwork', 'google_compute_subnetwork_*'],
      ...['google_compute_firewall', 'google_compute_route'],
      ...['google_compute_router', 'google_compute_health_check'],
      ...['google_compute_region_health_check', 'google_compute_instance_group'],
      ...['google_compute_backend_service'],
      ...['google_compute_network_peering', 'google_compute_attached_disk', 'google_compute_resource_policy'],
      ...['google_compute_disk_resource_policy_attachment', 'google_compute_url_map'],
      ...['google_compute_target_http_proxy', 'google_compute_target_https_proxy'],
      ...['google_compute_ssl_policy', 'google_compute_region_network_endpoint_group'],
      'google_service_networking_connection',
    ]),
    ...free('projects, identity and policies', [
      ...['google_project', 'google_project_*', 'google_service_account', 'google_service_account_*'],
      ...['google_folder', 'google_folder_*', 'google_organization_*', 'google_storage_bucket_iam_*'],
      'google_compute_project_metadata*',
      ...['google_iam_workload_identity_pool', 'google_iam_workload_identity_pool_provider'],
    ]),
    ...free('databases and users of an instance', ['google_sql_database', 'google_sql_user']),
    ...unpriced('instances from a template', [
      ...['google_compute_instance_from_template', 'google_compute_instance_from_machine_image'],
    ]),
    ...gcpCharges,
    ...unpriced('snapshots and storage', [
      ...['google_compute_region_disk', 'google_compute_snapshot', 'google_compute_image'],
      ...['google_filestore_instance', 'google_storage_bucket', 'google_artifact_registry_repository'],
    ]),
    ...unpriced('databases', [
      ...['google_redis_*', 'google_memcache_instance', 'google_spanner_*'],
      ...['google_bigtable_*', 'google_bigquery_*', 'google_alloydb_*', 'google_firestore_*'],
    ]),
    ...unpriced('load balancers, gateways and names', [
      ...['google_compute_global_address', 'google_compute_forwarding_rule'],
      ...['google_compute_global_forwarding_rule', 'google_compute_router_nat', 'google_compute_vpn_*'],
      ...['google_compute_ha_vpn_gateway', 'google_compute_interconnect_*', 'google_dns_managed_zone'],
      'google_compute_external_vpn_gateway',
    ]),
    ...unpriced('sole-tenant nodes and reserved capacity', [
      ...['google_compute_node_group', 'google_compute_reservation'],
    ]),
    ...unpriced('managed analytics and machine learning', ['google_tpu_*', 'google_dataproc_*']),
    ...unpriced('containers and functions', [
      ...['google_cloud_run_*', 'google_cloud_run_v2_*', 'google_cloudfunctions*', 'google_app_engine_*'],
      ...['google_composer_environment', 'google_dataflow_*', 'google_workstations_*', 'google_notebooks_*'],
    ]),
    ...unpriced('messages, logs, keys and secrets', [
      ...['google_pubsub_*', 'google_logging_*', 'google_monitoring_*'],
      ...['google_kms_*', 'google_secret_manager_*'],
    ]),
  ]),
}
