import type { Recommendation, SubjectSize } from '../schema.ts'
import { noSize } from './recommendation-row.ts'

export const sizeOf = (cpu: number | null, memory: number | null): SubjectSize => ({
  ...noSize,
  cpu_cores: cpu,
  memory_gib: memory,
})

/** By default, a container that is reduced from 2 cores and 4 GiB to 1 core and 2 GiB. */
export const exampleRecommendation = (more: Partial<Recommendation> = {}): Recommendation => ({
  id: 'a',
  kind: 'container',
  title: 'Resize app of Deployment/web',
  cluster: 'prod',
  namespace: 'shop',
  workload: 'Deployment/web',
  container: 'app',
  init: false,
  machine: null,
  worth_per_month: 30,
  cost_per_month: 60,
  risk: 'low',
  effort: 'low',
  confidence: 0.7,
  replicas: 2,
  current: sizeOf(2, 4),
  recommended: sizeOf(1, 2),
  idle_days: null,
  findings: [],
  reasons: [],
  price_sources: ['list'],
  price_date: '2026-11-01',
  is_estimate: false,
  ...more,
})
