import { defaultOrganisation } from '../../../domain/key.ts'
import { dollars } from '../../../domain/money.ts'
import { orProblem } from '../../../domain/not-found.ts'
import { Problem } from '../../../domain/problem.ts'
import { dayMs } from '../../../domain/time.ts'
import { type Effort, efforts } from '../../../pricing/compare/comparison.ts'
import type { PricingDeps } from '../../../pricing/market.ts'
import type { SavedReview, SavedReviewDetail } from '../../../pricing/schema.ts'
import type { Gate } from '../../../pricing/terraform/review/review.ts'
import type {
  ManifestChange,
  NamedDocument,
  ReviewOptions,
} from '../../../pricing/terraform/review/review-plan.ts'
import type { Review } from '../../../pricing/terraform/review/schema.ts'
import type { VmSummary } from '../../../recommendations/machines/schema.ts'
import { type Call, type Command, CommandFailure, exitCode, UsageError } from '../../command.ts'
import { readInput } from '../../read-json.ts'
import { difference } from '../../render/figures.ts'
import { type ReviewFormat, renderReview } from '../../render/review.ts'
import { renderTable } from '../../render/table.ts'
import { serverOf } from '../../server.ts'
import { pricingFor } from './offline-pricing.ts'
import { reviewNotes, reviewOptions } from './review-flags.ts'
import { manifestChange } from './review-manifests.ts'
import { publisherOf } from './review-publish.ts'

export const reviewCommand: Command = {
  name: 'review',
  summary:
    'Price Terraform plans or Kubernetes manifests, offline: cost of each resource before and after, and cheaper machines',
  operands: 'PLAN.json...',
  operandCount: [0, 1000],
  isOffline: true,
  settings: ['server', 'catalogue', 'providers', 'currency'],
  options: reviewOptions,
  notes: reviewNotes,
  run: async (call) => {
    const format = (call.json ? 'json' : (call.text('format') ?? 'text')) as ReviewFormat
    const gate = gateOf(call)
    const publisher = publisherOf(call)
    const options = optionsOf(call)
    const save = saverOf(call)
    const manifests = await manifestChange(call)
    if (manifests === undefined && call.operands.length === 0)
      throw new UsageError('review needs a plan, or --manifests')
    const documents = await Promise.all(call.operands.map(readDocument))
    const review =
      manifests === undefined
        ? await reviewOf(call, documents, { ...options, ...(await sizesFor(call, options)) })
        : await reviewOfManifests(call, manifests, options)
    call.out(renderReview(review, format).trimEnd())
    const { gateFailures } = await import('../../../pricing/terraform/review/review.ts')
    const reasons = gateFailures(review, gate)
    for (const reason of reasons) call.err(`cheapside review: ${reason}`)
    const isHeld = reasons.length > 0
    try {
      await save?.(review)
      await publisher.publish(review, documents, reasons)
    } catch (error) {
      if (!(error instanceof CommandFailure || error instanceof Problem)) throw error
      call.err(`cheapside review: ${error.message}`)
      return isHeld ? exitCode.exceeded : exitCode.failed
    }
    return isHeld ? exitCode.exceeded : exitCode.done
  },
}

/** Stores the totals of a review; undefined if they are not to be stored. */
function saverOf(call: Call): ((review: Review) => Promise<void>) | undefined {
  const name = call.text('save')
  if (name === undefined) return undefined
  const server = serverOf(call)
  if (server === undefined) throw new UsageError('--save needs --server')
  return async (review) => {
    const { before_per_month, after_per_month } = review.totals
    const unpriced = review.unpriced.length + review.unknown.length
    const totals = { name, before_per_month, after_per_month, unpriced }
    const isSmall = JSON.stringify(review).length < maxSavedCharacters
    if (!isSmall)
      call.err('cheapside review: too large to save with its resources: only the totals are saved')
    await server.ask(savedPath, { body: isSmall ? { ...totals, review } : totals })
  }
}

const savedPath = '/v1/reviews/saved'
const maxSavedCharacters = 3e6

const serviceOf = (call: Call) => {
  const server = serverOf(call)
  if (server === undefined) throw new UsageError('reviews needs --server')
  return server
}

export const reviewsCommands: readonly Command[] = [
  {
    name: 'reviews',
    summary: 'List the reviews that were saved with cheapside review --save or in the console',
    settings: ['server', 'currency'],
    run: async (call) => {
      const reviews = await serviceOf(call).ask<SavedReview[]>(savedPath)
      return call.show(reviews, () =>
        reviews.length === 0
          ? 'No review is saved.'
          : renderTable(
              [
                ['NAME', 'SAVED', 'BY', 'AFTER/MONTH', 'DIFFERENCE', 'NO PRICE', 'ID'],
                ...reviews.map(({ id, name, at, by, after_per_month, difference_per_month, unpriced }) => [
                  ...[name, shortTime(at), by, dollars(after_per_month), difference(difference_per_month)],
                  unpriced === 0 ? '' : String(unpriced),
                  id,
                ]),
              ],
              [3, 4, 5],
            ),
      )
    },
  },
  {
    name: 'reviews show',
    summary: 'Show a saved review with its resources',
    operands: 'ID',
    settings: ['server', 'currency'],
    run: async (call) => {
      const id = encodeURIComponent(call.operands[0]!)
      const saved = await serviceOf(call).ask<SavedReviewDetail>(`${savedPath}/${id}`)
      const { name, at, by, review, before_per_month: before, after_per_month: after } = saved
      return call.show(saved, () =>
        [
          `${name}, saved ${shortTime(at)} by ${by}`,
          review === null
            ? `${dollars(before)} a month before, ${dollars(after)} after: ${difference(saved.difference_per_month)}. Its resources are not kept.`
            : renderReview(review as Review, 'text').trimEnd(),
        ].join('\n\n'),
      )
    },
  },
]

const shortTime = (at: string): string => at.slice(0, 16).replace('T', ' ')

async function reviewOf(call: Call, documents: readonly NamedDocument[], given: ReviewOptions) {
  const { reviewDifference, reviewPlans } = await import('../../../pricing/terraform/review/review-plan.ts')
  const deps = await pricingFor(call)
  const options = {
    ...given,
    defaults: { regions: await regionsOf(call, deps), environment: call.environment },
  }
  try {
    if (!call.flag('diff')) return await reviewPlans(deps, defaultOrganisation, documents, options)
    const [before, after, ...more] = documents
    if (before === undefined || after === undefined || more.length > 0)
      throw new UsageError('--diff needs two files, the state before and the state after')
    return await reviewDifference(deps, defaultOrganisation, [before, after], options)
  } catch (error) {
    throw error instanceof Problem && error.code === 'invalid' ? new CommandFailure(error.message) : error
  }
}

async function reviewOfManifests(call: Call, manifests: ManifestChange, options: ReviewOptions) {
  const { reviewManifests } = await import('../../../pricing/terraform/review/review-plan.ts')
  const deps = await pricingFor(call)
  const name = call.text('manifests')!
  return orProblem(await reviewManifests(deps, defaultOrganisation, name, manifests, options))
}

async function sizesFor(call: Call, { suggestions }: ReviewOptions): Promise<Pick<ReviewOptions, 'sizeOf'>> {
  const server = serverOf(call)
  if (server === undefined || suggestions === 0) return {}
  const now = Date.now()
  const [start_date, end_date] = [now - 14 * dayMs, now - dayMs].map((ms) => new Date(ms).toISOString())
  // A history of hours is not enough to suggest another size: the machine must have been measured a day ago too.
  const before = await server.pages<VmSummary>('/v1/vm_summaries', { start_date, end_date })
  const longEnough = new Set(before.map(({ vm }) => vm))
  const summaries = await server.pages<VmSummary>('/v1/vm_summaries', {})
  const sizes = new Map(
    summaries
      .filter(
        ({ vm, totalRecommendedCPU: cores, totalRecommendedRAM: gib }) =>
          longEnough.has(vm) && cores > 0 && gib > 0,
      )
      .map(({ vm, totalRecommendedCPU, totalRecommendedRAM }) => [
        vm,
        { cpu_cores: totalRecommendedCPU, ram_gb: totalRecommendedRAM },
      ]),
  )
  const withLabel = Map.groupBy(sizes.keys(), (vm) => vm.split('.')[0]!)
  return {
    sizeOf: (name) => {
      const [only, ...others] = withLabel.get(name.split('.')[0]!) ?? []
      return (
        sizes.get(name) ??
        (only !== undefined && others.length === 0 && !name.includes('.') ? sizes.get(only) : undefined)
      )
    },
  }
}

function gateOf(call: Call): Gate {
  const maxIncreaseUsd = call.number('max-increase', { least: 0 })
  const failOnUnpriced = call.flag('fail-on-unpriced')
  const allowUnpriced = call.flag('allow-unpriced')
  if (failOnUnpriced && allowUnpriced)
    throw new UsageError('--fail-on-unpriced and --allow-unpriced cannot be combined')
  return { ...(maxIncreaseUsd === undefined ? {} : { maxIncreaseUsd }), failOnUnpriced, allowUnpriced }
}

function optionsOf(call: Call): ReviewOptions {
  const suggestions = call.number('suggestions', { least: 0, isWhole: true })
  const hours = call.number('hours')
  if (hours !== undefined && !(hours > 0 && hours <= 744))
    throw new UsageError('--hours must be above 0 and at most 744')
  const wanted = call.texts('suggest')?.flatMap((word) => {
    if (!allEfforts.includes(word)) throw new UsageError(`--suggest must be one of ${allEfforts.join(', ')}`)
    return word === 'all' ? efforts : [word as Effort]
  })
  return {
    ...(wanted === undefined ? {} : { efforts: wanted }),
    ...(suggestions === undefined ? {} : { suggestions }),
    ...(hours === undefined ? {} : { hours }),
    prices: pricesOf(call),
    today: new Date().toISOString().slice(0, 10),
  }
}

/** Reads --price aws_nat_gateway=35.04. */
const pricesOf = (call: Call): Record<string, number> =>
  Object.fromEntries(
    (call.texts('price') ?? []).map((pair) => {
      const [type = '', usd = ''] = pair.split('=')
      if (type === '' || usd === '' || !(Number(usd) >= 0))
        throw new UsageError(
          `--price must be TYPE=USD, such as aws_nat_gateway=35.04, not ${JSON.stringify(pair)}`,
        )
      return [type, Number(usd)]
    }),
  )

/** Reads --region aws=eu-west-1, with any name of the provider, or eu-west-1 alone if one provider has that region. */
async function regionsOf(call: Call, deps: PricingDeps): Promise<Record<string, string>> {
  const { nearestOrAll } = await import('../../../pricing/not-found.ts')
  const { resolveRegion } = await import('../../../pricing/names.ts')
  const given = call.texts('region') ?? []
  return Object.fromEntries(
    given.map((pair) => {
      const [name = '', region = ''] = pair.includes('=') ? pair.split('=') : [sellerIn(deps, pair), pair]
      if (name === '' || region === '')
        throw new UsageError(
          `--region must be REGION or PROVIDER=REGION, such as eu-west-1 or aws=eu-west-1, not ${JSON.stringify(pair)}`,
        )
      const provider = deps.findProvider(name)
      if (provider === undefined) {
        const known = deps.providers.map(({ key }) => key).join(', ')
        throw new UsageError(
          `--region has an unknown provider ${JSON.stringify(name)}; known providers: ${known}`,
        )
      }
      const regions = deps.catalogue().regionsOf(provider.key)
      if (!regions.includes(resolveRegion(deps.catalogue(), provider, region)))
        throw new UsageError(
          `--region has an unknown region ${JSON.stringify(region)} of ${provider.displayName}; nearest: ` +
            nearestOrAll(region, regions).join(', '),
        )
      return [provider.key, region]
    }),
  )
}

/** Returns the key of the only provider that has a region of this name; '' if none or several have. */
function sellerIn({ providers, catalogue }: PricingDeps, region: string): string {
  const isName = (other: string): boolean => other.toLowerCase() === region.toLowerCase()
  const sellers = providers.filter(({ key }) => catalogue().regionsOf(key).some(isName))
  return sellers.length === 1 ? sellers[0]!.key : ''
}

async function readDocument(name: string): Promise<NamedDocument> {
  const { UnreadableDocument, parseDocument } = await import(
    '../../../pricing/terraform/review/parse-document.ts'
  )
  const bytes = await readInput(name)
  try {
    return { name, document: parseDocument(bytes) }
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error
    throw new CommandFailure(`${name} cannot be reviewed: ${error.message}`)
  }
}

const allEfforts: readonly string[] = [...efforts, 'all']
