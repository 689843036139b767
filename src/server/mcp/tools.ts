import Type from 'typebox'
import { dollars } from '../../domain/money.ts'
import { orProblem } from '../../domain/not-found.ts'
import { optional } from '../../domain/schema.ts'
import { plural } from '../../domain/text.ts'
import { compareMachine } from '../../pricing/compare/compare-machine.ts'
import { efforts } from '../../pricing/compare/comparison.ts'
import { Comparison, ComparisonBody } from '../../pricing/compare/schema.ts'
import { priceCompute } from '../../pricing/compute/price-compute.ts'
import { ComputePrice, InstanceBody } from '../../pricing/compute/schema.ts'
import { listTypes } from '../../pricing/instance-types/list-types.ts'
import { InstanceTypesQuery, InstanceTypeView } from '../../pricing/instance-types/schema.ts'
import { reviewPlans } from '../../pricing/terraform/review/review-plan.ts'
import { maxReviewedResources, Review, ReviewBody } from '../../pricing/terraform/review/schema.ts'
import { type Tool, tool } from './tool.ts'

const { limit, ...typeFilters } = InstanceTypesQuery.properties
const fewTypes = 10

export const tools: readonly Tool[] = [
  tool({
    name: 'compare_machine',
    title: 'Compare a machine',
    description:
      'Find cheaper replacements for a cloud machine, by effort: another size, region or provider, a commitment, spot. ' +
      'Give usage if it is known; without it the machine is assumed to be fully used.',
    input: ComparisonBody,
    output: Comparison,
    answer: async ({ pricing, now }, organisation, asked) => {
      const today = new Date(now()).toISOString().slice(0, 10)
      const comparison = orProblem(await compareMachine(pricing, organisation, asked, today))
      const { current, options } = comparison
      const lines = options.map(({ effort, offers: [best] }) =>
        best === undefined
          ? `${effort}: nothing`
          : `${effort}: ${best.provider} ${best.instance_type} in ${best.region}, ${dollars(best.cost_per_month)} a month, ` +
            `saves ${dollars(best.savings.amount_per_month)}`,
      )
      const heading = `${current.provider} ${current.instance_type} in ${current.region}: ${dollars(current.cost_per_month)} a month`
      return {
        structured: comparison,
        text: [heading, ...(lines.length > 0 ? lines : ['Nothing comparable costs less.'])].join('\n'),
      }
    },
  }),
  tool({
    name: 'price_instance',
    title: 'Price an instance',
    description:
      'Return the hourly price of one cloud instance. provider, region and instance_type are required.',
    input: InstanceBody,
    output: ComputePrice,
    answer: async ({ pricing }, organisation, asked) => {
      const price = orProblem(await priceCompute(pricing, organisation, asked))
      const text =
        `${price.provider} ${price.instance_type} in ${price.region}, ${price.operating_system}, ${price.usage_type}: ` +
        `$${price.cost_per_hour} an hour for ${price.cpu_cores} cores and ${price.ram_gb} GiB`
      return { structured: price, text }
    },
  }),
  tool({
    name: 'find_instance_types',
    title: 'Find instance types',
    description:
      'Find instance types of all clouds by size, speed, architecture, GPU, disk, kind, region and price.',
    input: Type.Object({ ...typeFilters, limit: optional(limit) }),
    output: Type.Object({ types: Type.Array(InstanceTypeView), next: optional(Type.String()) }),
    answer: async ({ pricing }, organisation, asked) => {
      const { types, next } = await listTypes(pricing, organisation, { limit: fewTypes, ...asked })
      const lines = types.map(
        (type) =>
          `${type.provider} ${type.instance_type}: ${type.cpu_cores} cores, ${type.ram_gb} GiB, from $${type.cost_per_hour_from} an hour`,
      )
      const structured = { types, ...(next === undefined ? {} : { next }) }
      return { structured, text: lines.length > 0 ? lines.join('\n') : 'No instance type matches.' }
    },
  }),
  tool({
    name: 'review_plan',
    title: 'Review a Terraform plan',
    description:
      'Show how a Terraform plan changes the monthly cost of machines, disks and other resources, and cheaper machines. `plan` is the output of terraform show -json.',
    input: Type.Object({
      plan: Type.Record(Type.String(), Type.Unknown()),
      efforts: optional(
        Type.Array(Type.Enum([...efforts]), {
          maxItems: efforts.length,
          description: 'What suggestions may change; default: only the size or type',
        }),
      ),
      regions: ReviewBody.properties.regions,
    }),
    output: Review,
    answer: async ({ pricing, now }, organisation, { plan, efforts, regions = {} }) => {
      const today = new Date(now()).toISOString().slice(0, 10)
      const review = await reviewPlans(pricing, organisation, [{ name: 'plan', document: plan }], {
        ...(efforts === undefined ? {} : { efforts }),
        defaults: { regions, environment: {} },
        maxResources: maxReviewedResources,
        today,
      })
      const { before_per_month, after_per_month, difference_per_month } = review.totals
      const text =
        `${dollars(before_per_month)} before, ${dollars(after_per_month)} after, a difference of ${dollars(difference_per_month)} a month; ` +
        `${plural(review.changes.length, 'resource')} priced, ${review.unpriced.length} known but not priced, ${review.unknown.length} of an unknown type.`
      return { structured: review, text }
    },
  }),
]
