import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { loadCatalogue, shippedCatalogue } from '../src/catalogue/load-catalogue.ts'
import type { SuccessorsFile } from '../src/catalogue/shipped-facts.ts'
import { enabledProviders } from '../src/pricing/market.ts'

// Writes catalogue/successors.json from a table of instance types (provider, instance_type, ..., successor,
// next_generation, ...). Only types of the shipped catalogue are kept.
//   node build/successors.ts superseded.csv.gz

const { catalogue } = await loadCatalogue(shippedCatalogue, enabledProviders([]).providers)
const [header = '', ...lines] = gunzipSync(readFileSync(process.argv[2]!)).toString().trim().split('\n')
const columns = header.split(',')
const known = new Set(
  catalogue.facets().flatMap(({ provider, types }) => types.map((type) => `${provider} ${type}`)),
)
const successors = lines.flatMap((line): [string, string, string][] => {
  const fields = line.split(',')
  const field = (name: string): string => fields[columns.indexOf(name)] ?? ''
  const [provider, type] = [field('provider'), field('instance_type')]
  const successor = field('successor') || field('next_generation')
  return known.has(`${provider} ${type}`) && known.has(`${provider} ${successor}`)
    ? [[provider, type, successor]]
    : []
})
const head: Omit<SuccessorsFile, 'successors'> = {
  format: 1,
  licence: 'MIT',
  credits: ['flexera-public/policy_templates data/aws, data/azure/instance_types.json, 2026-04'],
}
const rows = successors.map((row) => `\n${JSON.stringify(row)}`)
const heads = Object.entries(head).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
writeFileSync(
  new URL('../catalogue/successors.json', import.meta.url),
  `{${heads.join(',')},\n"successors":[${rows.join(',')}]}\n`,
)
console.log(`${successors.length} successors`)
