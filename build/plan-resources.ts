import { readFileSync, writeFileSync } from 'node:fs'
import type { PlanProvider, PlanResource } from '../src/domain/planned-instance.ts'
import { planProviders } from '../src/providers/terraform/plan-providers.ts'

// Writes the tables of resources into docs/how-to/review-plans.md:
//   node build/plan-resources.ts

const file = new URL('../docs/how-to/review-plans.md', import.meta.url)
const begin = '<!-- resources: written by build/plan-resources.ts -->\n'
const end = '<!-- end of resources -->'

/** The document with the tables that the declarations make. */
export function withResources(document: string): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/how-to/review-plans.md lacks ${begin}`)
  return document.slice(0, from + begin.length) + planProviders.map(sectionOf).join('') + document.slice(to)
}

function sectionOf({ source, provider, environment, resources }: PlanProvider): string {
  const isPriced = ({ treatment }: PlanResource) => treatment === 'machines' || treatment === 'charges'
  const priced = resources.filter(isPriced)
  const others = Map.groupBy(
    resources.filter((resource) => !isPriced(resource)),
    ({ treatment, about }) => `${treatment}: ${about}`,
  )
  const settings = Object.entries(environment).map(
    ([setting, variables]) => `${setting} from ${variables.map(code).join(', ')}`,
  )
  return [
    `### ${source}\n`,
    ...(provider === ''
      ? []
      : [`\`--region ${provider}=REGION\`${settings.map((text) => `; ${text}`).join('')}\n`]),
    ...(priced.length === 0 ? [] : [`${tableOf(priced)}\n`]),
    ...[...others].map(([name, list]) => `- ${name}: ${list.map(({ type }) => code(type)).join(', ')}`),
    '\n',
  ].join('\n')
}

const tableOf = (resources: readonly PlanResource[]): string =>
  [
    '| resource | priced as | attributes |',
    '|---|---|---|',
    ...resources.map(({ type, about, attributes }) => {
      const names = [...new Set(attributes)].map(code).join(', ')
      return `| ${code(type)} | ${about} | ${names} |`
    }),
  ].join('\n')

const code = (name: string): string => `\`${name}\``

if (import.meta.main) writeFileSync(file, withResources(readFileSync(file, 'utf8')))
