import type { PlanResource } from '../../../domain/planned-instance.ts'
import { free, unpriced } from '../../terraform/reading.ts'

/** What is free is stated on the pricing pages of EC2, VPC, IAM, Auto Scaling and Route 53. */
export const awsOthers: readonly PlanResource[] = [
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
    ...['aws_vpc', 'aws_subnet', 'aws_default_*'],
    ...['aws_route', 'aws_route_table', 'aws_route_table_association'],
    ...['aws_main_route_table_association', 'aws_internet_gateway', 'aws_egress_only_internet_gateway'],
    ...['aws_security_group', 'aws_security_group_rule', 'aws_vpc_security_group_*', 'aws_network_acl'],
    ...['aws_network_acl_*', 'aws_network_interface', 'aws_network_interface_*', 'aws_vpc_dhcp_options'],
    ...['aws_vpc_dhcp_options_association', 'aws_eip_association', 'aws_lb_target_group'],
    ...['aws_lb_target_group_attachment', 'aws_lb_listener', 'aws_lb_listener_*', 'aws_alb_target_group'],
    ...['aws_alb_target_group_attachment', 'aws_alb_listener', 'aws_alb_listener_*'],
    ...['aws_db_subnet_group', 'aws_elasticache_subnet_group', 'aws_db_parameter_group'],
    ...['aws_rds_cluster_parameter_group', 'aws_db_option_group', 'aws_route53_record'],
  ]),
  ...free('identity and policies', [
    ...['aws_iam_*', 'aws_s3_bucket_policy', 'aws_s3_bucket_public_access_block', 'aws_s3_bucket_acl'],
    ...['aws_s3_bucket_ownership_controls', 'aws_s3_bucket_versioning', 'aws_lambda_permission'],
    ...['aws_sns_topic_policy', 'aws_sqs_queue_policy', 'aws_kms_alias', 'aws_ecr_repository_policy'],
    ...['aws_ecr_lifecycle_policy', 'aws_s3_bucket_server_side_encryption_configuration'],
  ]),
  ...unpriced('databases', [
    ...['aws_rds_cluster'],
    ...['aws_docdb_cluster_instance', 'aws_neptune_cluster_instance', 'aws_redshift_cluster'],
    ...['aws_elasticache_*', 'aws_memorydb_cluster', 'aws_dynamodb_table', 'aws_opensearch_domain'],
    'aws_elasticsearch_domain',
  ]),
  ...unpriced('Fargate', ['aws_eks_fargate_profile', 'aws_eks_addon']),
  ...unpriced('containers and functions', ['aws_ecs_*', 'aws_lambda_*', 'aws_batch_*', 'aws_ecr_repository']),
  ...unpriced('disks and storage', [
    ...['aws_ebs_snapshot', 'aws_ami', 'aws_efs_file_system', 'aws_fsx_*', 'aws_s3_bucket'],
  ]),
  ...unpriced('gateways and traffic', [
    ...['aws_vpn_*', 'aws_ec2_transit_gateway'],
    ...['aws_ec2_transit_gateway_vpc_attachment', 'aws_cloudfront_distribution', 'aws_globalaccelerator_*'],
    ...['aws_api_gateway_*', 'aws_apigatewayv2_*', 'aws_dx_*'],
    'aws_route53_health_check',
  ]),
  ...unpriced('dedicated hosts and reserved capacity', [
    ...['aws_ec2_host', 'aws_ec2_capacity_reservation', 'aws_ec2_capacity_block_reservation'],
  ]),
  ...unpriced('managed analytics and machine learning', ['aws_emr_cluster', 'aws_sagemaker_*']),
  ...unpriced('messages and logs', [
    ...['aws_sqs_queue', 'aws_sns_topic', 'aws_msk_cluster', 'aws_mq_broker', 'aws_kinesis_*'],
    ...['aws_cloudwatch_*', 'aws_cloudtrail', 'aws_ssm_parameter'],
  ]),
]
