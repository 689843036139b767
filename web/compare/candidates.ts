import type { paths } from '../api/schema.ts'

export type Recommendation =
  paths['/recommendations']['post']['responses'][200]['content']['application/json']
type Item = Recommendation[string][number]

export interface Candidate {
  readonly id: string
  readonly type: string
  readonly provider: string
  readonly region: string
  readonly zone: string
  readonly usageType: string
  readonly term: string
  readonly cores: number
  readonly gib: number
  readonly architecture: string
  readonly pricePerHour: number
  readonly savesPercent: number
  readonly savesPerMonth: number
  readonly savesPerYear: number
  readonly day: string | null
  readonly source: string
}

export interface Answer {
  readonly current: Item['instance_pricing']
  readonly candidates: readonly Candidate[]
}

export function candidatesOf(answer: Recommendation): Answer {
  const { base = [], ...groups } = answer
  const items = Object.values(groups).flat()
  return { current: base[0]!.instance_pricing, candidates: items.map(candidateOf) }
}

function candidateOf({ instance_pricing: price, vm, savings }: Item): Candidate {
  const raw = price.raw_pricing_data
  const term = raw?.term ?? ''
  return {
    id: [
      price.provider,
      price.service,
      price.region,
      price.availability_zone,
      price.instance_type,
      price.usage_type,
      term,
    ].join(' '),
    type: price.instance_type,
    provider: price.provider,
    region: price.region,
    zone: price.availability_zone,
    usageType: price.usage_type,
    term,
    cores: vm?.cpu_cores ?? 0,
    gib: vm?.ram_gb ?? 0,
    architecture: raw?.architecture ?? '',
    pricePerHour: price.cost_per_hour,
    savesPercent: savings.percentage,
    savesPerMonth: savings.amount_per_month,
    savesPerYear: savings.amount_per_year,
    day: raw?.day ?? null,
    source: raw?.source ?? '',
  }
}

const spoken: Record<string, string> = {
  ONDEMAND: 'On demand',
  RESERVED: 'Reserved',
  SPOT_PREEMPTIBLE: 'Spot',
}

/** RESERVED, 1y-savings-plan -> Reserved, 1y savings plan */
export function paidAs(usageType: string, term = ''): string {
  const name = spoken[usageType] ?? usageType
  return term === '' ? name : `${name}, ${term.replaceAll('-', ' ')}`
}
