import type { PlanProvider, PlanReading, PlanValues } from '../../domain/planned-instance.ts'
import { ec2Fleet, spotFleet } from './aws-fleets.ts'
import { autoscalingGroup, nodeGroup } from './aws-groups.ts'
import {
  awsRegionOf,
  configurationAttributes,
  dedicated,
  isWindowsImage,
  templateAttributes,
} from './aws-templates.ts'
import { free, machines, readPlanned, spotIf, unpriced, windowsIf } from './reading.ts'

const instanceAttributes = [
  'instance_type',
  'availability_zone',
  'region',
  'arn',
  'tenancy',
  'get_password_data',
  'ami',
]
const groupTemplate = ['launch_template.id', 'launch_template.name', 'region', 'arn']
const mixed = 'mixed_instances_policy'
const policyTemplate = `${mixed}.launch_template`

/** Terraform provider documentation of hashicorp/aws; what is free, by the pricing pages of EC2, VPC, IAM and Auto Scaling */
export const awsPlans: PlanProvider = {
  source: 'hashicorp/aws',
  provider: 'aws',
  environment: { region: ['AWS_REGION', 'AWS_DEFAULT_REGION'] },
  resources: [
    machines(
      'aws_instance',
      'EC2 instance, on demand or spot',
      [...instanceAttributes, 'instance_market_options.market_type'],
      (values) => instance(values, values.text('instance_market_options.market_type') === 'spot'),
    ),
    machines('aws_spot_instance_request', 'EC2 spot instance', instanceAttributes, (values) =>
      instance(values, true),
    ),
    machines(
      'aws_autoscaling_group',
      'machines of a launch template, launch configuration or mixed instances policy of the same plan',
      [
        ...['desired_capacity', 'min_size', 'max_size', 'availability_zones', 'launch_configuration'],
        ...[...groupTemplate, mixed, policyTemplate],
        `${policyTemplate}.launch_template_specification.launch_template_id`,
        `${policyTemplate}.launch_template_specification.launch_template_name`,
        ...['instance_type', 'weighted_capacity', 'instance_requirements'].map(
          (name) => `${policyTemplate}.override.${name}`,
        ),
        `${policyTemplate}.override`,
        `${mixed}.instances_distribution.on_demand_base_capacity`,
        `${mixed}.instances_distribution.on_demand_percentage_above_base_capacity`,
      ],
      autoscalingGroup,
    ),
    machines(
      'aws_eks_node_group',
      'nodes of a managed node group',
      [
        ...['instance_types', 'ami_type', 'capacity_type', 'launch_template', ...groupTemplate],
        ...['desired_size', 'min_size', 'max_size'].map((name) => `scaling_config.${name}`),
      ],
      nodeGroup,
    ),
    machines(
      'aws_spot_fleet_request',
      'spot fleet by launch specifications or launch templates',
      [
        ...['target_capacity', 'region', 'arn', 'launch_specification', 'launch_template_config'],
        ...['instance_type', 'availability_zone', 'weighted_capacity', 'placement_tenancy', 'ami'].map(
          (name) => `launch_specification.${name}`,
        ),
        'launch_template_config.overrides',
        ...['instance_type', 'availability_zone', 'weighted_capacity', 'instance_requirements'].map(
          (name) => `launch_template_config.overrides.${name}`,
        ),
        'launch_template_config.launch_template_specification.id',
        'launch_template_config.launch_template_specification.name',
      ],
      spotFleet,
    ),
    machines(
      'aws_ec2_fleet',
      'EC2 fleet, on demand and spot',
      [
        ...['region', 'arn', 'launch_template_config', 'launch_template_config.override'],
        ...['instance_type', 'availability_zone', 'weighted_capacity', 'instance_requirements'].map(
          (name) => `launch_template_config.override.${name}`,
        ),
        'launch_template_config.launch_template_specification.launch_template_id',
        'launch_template_config.launch_template_specification.launch_template_name',
        ...[
          'default_target_capacity_type',
          'total_target_capacity',
          'on_demand_target_capacity',
          'spot_target_capacity',
        ].map((name) => `target_capacity_specification.${name}`),
      ],
      ec2Fleet,
    ),
    ...free('launch template', ['aws_launch_template'], templateAttributes),
    ...free('launch configuration', ['aws_launch_configuration'], configurationAttributes),
    ...free('scaling policies and placement', [
      ...['aws_autoscaling_attachment', 'aws_autoscaling_group_tag', 'aws_autoscaling_lifecycle_hook'],
      ...['aws_autoscaling_notification', 'aws_autoscaling_policy', 'aws_autoscaling_schedule'],
      ...['aws_appautoscaling_*', 'aws_placement_group', 'aws_key_pair', 'aws_volume_attachment'],
      ...['aws_eks_access_entry', 'aws_eks_access_policy_association', 'aws_eks_pod_identity_association'],
    ]),
    ...free('container clusters without machines', [
      ...['aws_ecs_cluster', 'aws_ecs_task_definition', 'aws_ecs_capacity_provider'],
      'aws_ecs_cluster_capacity_providers',
    ]),
    ...free('network without traffic', [
      ...[
        'aws_vpc',
        'aws_subnet',
        'aws_default_*',
        'aws_route',
        'aws_route_table',
        'aws_route_table_association',
      ],
      ...['aws_main_route_table_association', 'aws_internet_gateway', 'aws_egress_only_internet_gateway'],
      ...['aws_security_group', 'aws_security_group_rule', 'aws_vpc_security_group_*', 'aws_network_acl'],
      ...['aws_network_acl_*', 'aws_network_interface', 'aws_network_interface_*', 'aws_vpc_dhcp_options'],
      ...['aws_vpc_dhcp_options_association', 'aws_eip_association', 'aws_lb_target_group'],
      ...['aws_lb_target_group_attachment', 'aws_lb_listener', 'aws_lb_listener_*', 'aws_alb_target_group'],
      ...['aws_db_subnet_group', 'aws_elasticache_subnet_group', 'aws_db_parameter_group'],
      ...['aws_rds_cluster_parameter_group', 'aws_route53_record'],
    ]),
    ...free('identity and policies', [
      ...['aws_iam_*', 'aws_s3_bucket_policy', 'aws_s3_bucket_public_access_block', 'aws_s3_bucket_acl'],
      ...['aws_s3_bucket_ownership_controls', 'aws_s3_bucket_versioning', 'aws_lambda_permission'],
      ...['aws_sns_topic_policy', 'aws_sqs_queue_policy', 'aws_kms_alias', 'aws_ecr_repository_policy'],
      ...['aws_ecr_lifecycle_policy', 'aws_s3_bucket_server_side_encryption_configuration'],
    ]),
    ...unpriced('databases', ['aws_db_instance', 'aws_rds_cluster_instance', 'aws_rds_cluster']),
    ...unpriced('databases', [
      ...['aws_docdb_cluster_instance', 'aws_neptune_cluster_instance', 'aws_redshift_cluster'],
      ...['aws_elasticache_*', 'aws_memorydb_cluster', 'aws_dynamodb_table', 'aws_opensearch_domain'],
      'aws_elasticsearch_domain',
    ]),
    ...unpriced('EKS clusters and Fargate', ['aws_eks_cluster', 'aws_eks_fargate_profile', 'aws_eks_addon']),
    ...unpriced('containers and functions', [
      'aws_ecs_*',
      'aws_lambda_*',
      'aws_batch_*',
      'aws_ecr_repository',
    ]),
    ...unpriced('disks and storage', [
      ...[
        'aws_ebs_volume',
        'aws_ebs_snapshot',
        'aws_ami',
        'aws_efs_file_system',
        'aws_fsx_*',
        'aws_s3_bucket',
      ],
    ]),
    ...unpriced('load balancers', ['aws_lb', 'aws_alb', 'aws_elb']),
    ...unpriced('addresses, gateways and traffic', [
      ...['aws_eip', 'aws_nat_gateway', 'aws_vpc_endpoint', 'aws_vpn_*', 'aws_ec2_transit_gateway'],
      ...['aws_ec2_transit_gateway_vpc_attachment', 'aws_cloudfront_distribution', 'aws_globalaccelerator_*'],
      ...[
        'aws_api_gateway_*',
        'aws_apigatewayv2_*',
        'aws_dx_*',
        'aws_route53_zone',
        'aws_route53_health_check',
      ],
    ]),
    ...unpriced('dedicated hosts and reserved capacity', [
      ...['aws_ec2_host', 'aws_ec2_capacity_reservation', 'aws_emr_cluster', 'aws_sagemaker_*'],
    ]),
    ...unpriced('messages, logs, keys and secrets', [
      ...['aws_sqs_queue', 'aws_sns_topic', 'aws_msk_cluster', 'aws_mq_broker', 'aws_kinesis_*'],
      ...[
        'aws_cloudwatch_*',
        'aws_cloudtrail',
        'aws_kms_key',
        'aws_secretsmanager_secret',
        'aws_ssm_parameter',
      ],
    ]),
  ],
}

function instance(values: PlanValues, isSpot: boolean): PlanReading {
  const why = dedicated(values.text('tenancy'))
  if (why !== undefined) return { unpriced: why }
  return readPlanned(values, 'instance_type', {
    provider: 'aws',
    region: awsRegionOf(values, values.text('availability_zone')),
    zone: values.text('availability_zone'),
    instanceType: values.text('instance_type'),
    // Only a Windows machine has a password to get.
    operatingSystem: windowsIf(values.flag('get_password_data') || isWindowsImage(values, 'ami')),
    usageType: spotIf(isSpot),
  })
}
