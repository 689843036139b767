import type { DiskOffer } from '../../../domain/disk.ts'
import { hoursPerMonth } from '../../../domain/money.ts'
import { NotFound } from '../../../domain/not-found.ts'
import { Problem } from '../../../domain/problem.ts'
import { planProviders } from '../../../providers/terraform/plan-providers.ts'
import { commitmentNotes } from '../../commitments/commitment-notes.ts'
import type { Effort } from '../../compare/comparison.ts'
import { type ClusterPricing, clusterPrices } from '../../manifests/cluster-prices.ts'
import { planOfWorkloads } from '../../manifests/plan-workloads.ts'
import { readWorkloads } from '../../manifests/read-workloads.ts'
import { marketOf, type PricingDeps } from '../../market.ts'
import { invalidField } from '../../not-found.ts'
import {
  NotAPlan,
  noDefaults,
  type PlanDefaults,
  readTerraformDifference,
  readTerraformPlan,
  type TerraformPlan,
} from '../terraform.ts'
import { type NamedPlan, reviewChanges } from './review-changes.ts'
import type { Review } from './schema.ts'
import type { NeededSize } from './suggest-cheaper.ts'

export interface ReviewOptions {
  /** Maximum number of resources; larger plans are refused. By default there is no limit. */
  readonly maxResources?: number
  /** What suggestions may change; by default only the size or type in the same place. */
  readonly efforts?: readonly Effort[]
  readonly suggestions?: number
  readonly hours?: number
  /** US dollars a month of a resource, by type, if it has no price otherwise. */
  readonly prices?: Readonly<Record<string, number>>
  readonly ownDisks?: readonly DiskOffer[]
  /** Regions and environment to assume if a plan leaves them out. */
  readonly defaults?: PlanDefaults
  /** Returns the recommended size of a machine, by one of its names, if it was measured. */
  readonly sizeOf?: (name: string) => NeededSize | undefined
  readonly today?: string
}

export interface NamedDocument {
  readonly name: string
  /** What `terraform show -json` prints. */
  readonly document: unknown
}

export async function reviewPlans(
  deps: PricingDeps,
  organisation: string,
  documents: readonly NamedDocument[],
  options: ReviewOptions = {},
): Promise<Review> {
  const defaults = withProviderKeys(deps, options.defaults)
  const plans = documents.map(({ name, document }) => ({
    name,
    plan: refusingOthers(name, () => readTerraformPlan(document, planProviders, defaults)),
  }))
  return reviewOf(deps, organisation, plans, options)
}

/** Prices the difference between two states, or between the results of two plans. */
export async function reviewDifference(
  deps: PricingDeps,
  organisation: string,
  [before, after]: readonly [NamedDocument, NamedDocument],
  options: ReviewOptions = {},
): Promise<Review> {
  const defaults = withProviderKeys(deps, options.defaults)
  const name = `${before.name} -> ${after.name}`
  const plan = refusingOthers(name, () =>
    readTerraformDifference(before.document, after.document, planProviders, defaults),
  )
  return reviewOf(deps, organisation, [{ name, plan }], options)
}

/** Prices what manifests of Kubernetes ask of a cluster, before and after a change. */
export async function reviewManifests(
  deps: PricingDeps,
  organisation: string,
  name: string,
  { before, after, pricing, nodes }: ManifestChange,
  options: ReviewOptions = {},
): Promise<Review | NotFound> {
  const prices = await clusterPrices(deps, organisation, pricing)
  if (prices instanceof NotFound) return prices
  const plan = planOfWorkloads(readWorkloads(before), readWorkloads(after), { ...prices, nodes })
  return reviewOf(deps, organisation, [{ name, plan }], options)
}

export interface ManifestChange {
  readonly before: readonly unknown[]
  readonly after: readonly unknown[]
  readonly pricing: ClusterPricing
  /** Number of nodes, for what runs on each. */
  readonly nodes?: number | undefined
}

/** Accepts any name of a provider for its region. */
function withProviderKeys(deps: PricingDeps, { regions, environment }: PlanDefaults = noDefaults) {
  const byKey = Object.entries(regions).map(([name, region]) => {
    const provider = deps.findProvider(name)
    if (provider !== undefined) return [provider.key, region]
    const known = deps.providers.map(({ key }) => key).join(', ')
    throw invalidField('/regions', `has the unknown provider ${JSON.stringify(name)}; known: ${known}`)
  })
  return { regions: Object.fromEntries(byKey), environment }
}

async function reviewOf(
  deps: PricingDeps,
  organisation: string,
  plans: readonly NamedPlan[],
  {
    efforts = ['resize'],
    suggestions = 1,
    hours = hoursPerMonth,
    maxResources = Number.POSITIVE_INFINITY,
    sizeOf,
    prices = {},
    ownDisks = [],
    today = '',
  }: ReviewOptions,
): Promise<Review> {
  const market = await marketOf(deps, organisation)
  const resources = plans.reduce((total, { plan }) => total + plan.changes.length, 0)
  if (resources > maxResources)
    throw new Problem(
      'invalid',
      `The plan has ${resources} resources, and at most ${maxResources} are reviewed at once.`,
    )
  return reviewChanges(deps, market, plans, {
    efforts,
    suggestions,
    hours,
    today,
    sizeOf,
    prices,
    ownDisks,
    commitments: await commitmentNotes(deps, market, organisation, today),
  })
}

function refusingOthers(name: string, read: () => TerraformPlan): TerraformPlan {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof NotAPlan)) throw error
    throw new Problem('invalid', `${name} cannot be reviewed: ${error.message}`, { cause: error })
  }
}
