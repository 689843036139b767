import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupOf, slotOf, usageNames, usageOf } from '../src/catalogue/columns/columns.ts'
import { reviewPlans } from '../src/pricing/terraform/review/review-plan.ts'
import { knownGcpRegions } from '../src/providers/gcp/provider.ts'
import { findProvider } from '../src/providers/providers.ts'
import { shippedPricing } from '../test/expert-comparisons/pricing-fixture.ts'

// Reports what is known: by provider, of how many pairs of type and region with an on-demand price it is known whether the type is
// sold there; and by type, of how many resources in plans there is a price. Without files, the plans of test/plans.
//   node bench/coverage.ts [PLAN.json ...]

const { deps } = await shippedPricing()
const { columns } = deps.catalogue()
const { offers, places, types, groupType } = columns
const pairs = new Map<string, Set<string>>()
for (let i = 0; i < offers.place.length; i++) {
  const slot = slotOf(columns, i)
  if (usageNames[usageOf(slot)] !== 'ONDEMAND') continue
  const { provider, region } = places[columns.labels.place[offers.label[i]!]!]!
  const group = groupOf(slot)
  pairs.getOrInsertComputed(provider, () => new Set()).add(`${types[groupType[group]!]}\t${region}`)
}
console.log('| provider | pairs of type and region | known whether sold | not sold |')
console.log('|---|---|---|---|')
for (const [provider, all] of pairs) {
  const { displayName, isSoldIn } = findProvider(provider)!
  const known = [...all].filter((pair) => isSoldIn === undefined || knownGcpRegions.has(pair.split('\t')[1]!))
  const unsold = [...all].filter((pair) => {
    const [type = '', region = ''] = pair.split('\t')
    return isSoldIn?.(type, region) === false
  })
  const share = ((100 * known.length) / all.size).toFixed(1)
  console.log(`| ${displayName} | ${all.size} | ${known.length} (${share}%) | ${unsold.length} |`)
}

const directory = join(import.meta.dirname, '../test/plans')
const given = process.argv.slice(2)
const files =
  given.length > 0
    ? given
    : readdirSync(directory)
        .filter((name) => name.endsWith('.json') && !name.startsWith('state-'))
        .map((name) => join(directory, name))
const counts = new Map<string, { priced: number; all: number }>()
const today = new Date().toISOString().slice(0, 10)
for (const file of files) {
  const plan = { name: file, document: JSON.parse(readFileSync(file, 'utf8')) }
  const options = { today, defaults: { regions: { aws: 'us-east-1', azure: 'westeurope' }, environment: {} } }
  const { changes, unpriced, unknown } = await reviewPlans(deps, 'nobody', [plan], options)
  for (const [resources, isPriced] of [
    [changes, 1],
    [[...unpriced, ...unknown], 0],
  ] as const)
    for (const { type } of resources) {
      const count = counts.getOrInsertComputed(type, () => ({ priced: 0, all: 0 }))
      count.priced += isPriced
      count.all++
    }
}
const sum = (of: 'priced' | 'all') => [...counts.values()].reduce((total, count) => total + count[of], 0)
const percent = (100 * sum('priced')) / sum('all')
console.log(
  `\n${files.length} plans: ${sum('priced')} of ${sum('all')} resources that cost something have a price (${percent.toFixed(1)}%)`,
)
console.log('\n| type | resources | with a price |\n|---|---|---|')
for (const [type, { priced, all }] of [...counts].sort(
  (a, b) => b[1].all - a[1].all || (a[0] < b[0] ? -1 : 1),
))
  console.log(`| \`${type}\` | ${all} | ${priced} |`)
