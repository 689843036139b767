import { ask } from './question.ts'

const east = 'aws us-east-1 m5.xlarge'

/** Predicates of the caller override defaults. */
export const scopeQuestions = [
  ask(east, 1, 'SPOT_PREEMPTIBLE', 'ONDEMAND RESERVED', 'Spot where it is asked for', {
    predicates: { usage_types: ['spot'] },
  }),
  ask(east, 1, 'SPOT_PREEMPTIBLE RESERVED', 'eu-*', 'Any way of paying, but near', {
    predicates: { usage_types: ['*'] },
  }),
  ask(east, 1, 'eu-*|europe-*|fsn1|hel1', 'SPOT_PREEMPTIBLE', 'Anywhere, but on demand', {
    predicates: { regions: ['*'] },
  }),
  ask('aws sa-east-1 m5.xlarge', 1, 'eu-west-1', 'sa-* us-*', 'A region that is named', {
    predicates: { regions: ['eu-west-1'] },
  }),
  ask('aws us-east-1 m5.2xlarge', 0.4, 'hetzner', 'aws azure gcp fsn1', 'One provider, near', {
    predicates: { providers: ['hetzner'] },
  }),
  ask(
    'aws ap-south-1 m5.xlarge',
    1,
    'hetzner',
    'aws ash hil',
    'A provider without a region there is taken with its nearest',
    { predicates: { providers: ['hetzner'] } },
  ),
  ask(
    'azure eastus Standard_NC24rs_v3',
    0.4,
    'p3.8xlarge',
    'g4dn.*',
    'A retired type that is named holds, if its accelerators are the same',
    { predicates: { instance_types: ['p3.8xlarge', 'g4dn.12xlarge'] } },
  ),
  ask(
    'aws sa-east-1 m5.xlarge',
    1,
    'us-gov-west-1|us-gov-east-1',
    'us-east-1 sa-east-1',
    'A government region that is named holds',
    { predicates: { regions: ['us-gov-west-1', 'us-gov-east-1'] } },
  ),
  ask(
    'azure brazilsouth Standard_D4s_v5',
    1,
    'germanynorth',
    'westeurope brazilsouth',
    'A restricted region that is named holds, by its title',
    { predicates: { regions: ['Germany North'] } },
  ),
  ask(`${east} spot`, 1, '', 'us-west-2-lax*', 'No local zone unasked'),
  ask(east, 0.3, 'm7a.large|m8a.large|c7a.*', '', 'Fewer, faster cores where that is asked for', {
    performance: 'equivalent',
  }),
  ask('aws us-east-1 m5.2xlarge', 0.6, '', 'm7a.large', 'Six busy cores of m5 are not two of m7a', {
    performance: 'equivalent',
  }),
  ask(east, 1, 'us-east-1|eastus|us-east4|nyc1|ash', 'us-west-2 westus2 us-central1', 'By distance', {
    predicates: { distance_km: 600 },
  }),
  ask(east, 1, 'europe-west3|eu-central-1|fra1|germanywestcentral', 'us-* eu-west-1 fsn1x', 'Near a city', {
    predicates: { near: 'Frankfurt', distance_km: 100 },
  }),
  ask(east, 1, 'm6g.xlarge', 'm5.xlarge m6a.xlarge', 'only Arm', {
    predicates: { architectures: ['arm64'] },
  }),
  ask(east, 1, 'm5a.xlarge m6g.xlarge', '', 'Any architecture', { predicates: { architectures: ['*'] } }),
]
