import { setTimeout as delay } from 'node:timers/promises'
import type { Random } from '../../test/fuzz/random.ts'
import type { RequestOptions } from '../../test/service.ts'
import type { Work } from './worker.ts'

const pauseMs = 50

/** Sends one query after the other. Each response is searched for texts of other organisations. */
export const readWork: Work = async ({ ledger, organisation, random, running, send }) => {
  while (running()) {
    const [path, options] = random.pick(reads)(random)
    const { status } = await send(path, { ...options, key: organisation.key })
    ledger.answered(`${options.body === undefined ? 'GET' : 'POST'} ${path.split('?')[0]}`, status, 200)
    await delay(pauseMs)
  }
}

const window = (): string => {
  const now = Date.now()
  const start = new Date(now - 30 * 3_600_000).toISOString()
  return `start_date=${start}&end_date=${new Date(now).toISOString()}`
}

const reads: readonly ((random: Random) => [string, RequestOptions])[] = [
  () => ['/providers', {}],
  () => ['/marketplace/providers', {}],
  () => [`/v1/namespace_recommendations?${window()}`, {}],
  () => [`/v1/vm_recommendations?${window()}`, {}],
  () => [`/v1/vm_summaries?${window()}`, {}],
  ...Array.from({ length: 5 }, () => recommendation),
]

function recommendation(random: Random): [string, RequestOptions] {
  const [provider, region, instance_type] = random.pick([
    ['aws', 'eu-central-1', 'm5.xlarge'],
    ['azure', 'eastus', 'Standard_D4s_v3'],
    ['gcp', 'europe-west1', 'n2-standard-4'],
  ])
  const size = { cpu_cores: 4, ram_gb: 16 }
  const usage = { cpu_cores: 0.1 * (1 + random.below(39)), ram_gb: 1 + random.below(15) }
  const body = {
    provider,
    region,
    instance_type,
    usage,
    vm: size,
    predicates: {},
    operating_system: 'Linux',
    usage_type: 'ondemand',
    availability_zone: '',
    service: '',
    fallback_to_base_pricing: true,
  }
  return ['/recommendations', { body }]
}
