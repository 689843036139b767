import { estimatorName } from '../namespaces/estimate-rows.ts'

const profiles = [
  'balanced',
  'cost',
  'safe',
  'vpa',
  'krr-simple',
  'krr-p99',
  'aws-compute-optimizer',
  'azure-advisor',
  'kubecost',
  'crane',
  'autopilot',
]

export const profileOptions = profiles.map((each) => [each, estimatorName(each)] as const)
