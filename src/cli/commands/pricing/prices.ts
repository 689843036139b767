import { dollars } from '../../../domain/money.ts'
import type {
  ChangedComparison,
  ChangedMachines,
  PriceRuleInput,
  PriceRulesPreview,
  PriceRulesView,
} from '../../../pricing/rules/schema.ts'
import { type Call, type Command, CommandFailure, exitCode, UsageError } from '../../command.ts'
import { organisationOption } from '../../organisation.ts'
import { readInput } from '../../read-json.ts'
import { difference, hourly } from '../../render/figures.ts'
import { renderTable } from '../../render/table.ts'
import { withService } from '../../with-service.ts'

type SetRules = PriceRulesView & { readonly preview?: PriceRulesPreview }

export const priceCommands: readonly Command[] = [
  {
    name: 'prices rules',
    summary: 'Show, set or try price rules: your discounts, agreed prices and fees',
    operands: 'show | set FILE | test FILE',
    operandCount: [1, 2],
    settings: ['server', 'data', 'catalogue', 'providers', 'currency'],
    options: { organisation: organisationOption },
    notes: [
      'FILE: YAML or JSON, such as rules: [{name: EDP, provider: aws, percent_off: 9}]; - reads standard input. set replaces',
      'all rules, or none if one is wrong. test changes nothing, and shows which machines and comparisons would change.',
    ].join('\n'),
    run: (call) =>
      withService(call, async (service) => {
        const action = await actionOf(call, 'rules')
        const path = '/v1/price_rules'
        const answer = await (action.body === undefined
          ? service.ask<SetRules>(path)
          : service.ask<SetRules>(path + (action.isTest ? '?dry_run=true' : ''), {
              method: 'PUT',
              body: action.body,
            }))
        if (call.json) call.out(JSON.stringify(answer))
        else if (action.body === undefined) call.out(rulesText(answer.rules))
        else if (answer.preview === undefined) call.out(`${rulesText(answer.rules)}\n\n${closedDays}`)
        else call.out(`Nothing is saved. ${previewText(answer.preview)}`)
        return exitCode.done
      }),
  },
]

const closedDays =
  'Costs of days before today keep the price that they were counted with; cheapside prices recount counts days again.'

interface Action {
  readonly verb: string
  /** What is set or tried; undefined to show what is set. */
  readonly body: object | undefined
  readonly isTest: boolean
}

/** The file that prices and commitments are read from: a list, or an object whose member `list` is one. */
export async function actionOf(
  { operands: [verb = '', file] }: Call,
  list: string,
  shown: readonly string[] = ['show'],
): Promise<Action> {
  if (shown.includes(verb) && file === undefined) return { verb, body: undefined, isTest: false }
  if ((verb !== 'set' && verb !== 'test') || file === undefined)
    throw new UsageError(`must be followed by ${shown.join(', ')}, set FILE or test FILE`)
  const text = (await readInput(file)).toString('utf8')
  const wrong = new CommandFailure(`${file} is not YAML or JSON with a list of ${list}`)
  let read: unknown
  try {
    if (/\.csv$/i.test(file)) read = await readCommitmentsCsv(text)
    else read = (await import('yaml')).parse(text)
  } catch (error) {
    throw error instanceof CommandFailure ? error : wrong
  }
  const body = Array.isArray(read) ? { [list]: read } : read
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, list)) throw wrong
  return { verb, body, isTest: verb === 'test' }
}

export function rulesText(rules: readonly PriceRuleInput[]): string {
  if (rules.length === 0) return 'No price rules are set.'
  return renderTable([
    ['RULE', 'MATCHES', 'CHANGE', 'VALID'],
    ...rules.map((rule) => [rule.name, matches(rule), changeText(rule), validText(rule)]),
  ])
}

const matched = ['provider', 'region', 'family', 'instance_type', 'usage_type', 'operating_system'] as const

const matches = (rule: PriceRuleInput): string =>
  matched.flatMap((name) => (rule[name] === undefined ? [] : [`${name}=${rule[name]}`])).join(' ') || 'all'

function changeText({ percent_off, price_per_hour_usd, add_per_hour_usd }: PriceRuleInput): string {
  if (percent_off !== undefined) return percent_off < 0 ? `+${-percent_off}%` : `-${percent_off}%`
  return price_per_hour_usd === undefined ? `${hourly(add_per_hour_usd!)} added` : hourly(price_per_hour_usd)
}

const validText = ({ valid_from: from, valid_until: until }: PriceRuleInput): string =>
  [from && `from ${from}`, until && `until ${until}`].filter(Boolean).join(' ')

export function previewText(preview: PriceRulesPreview): string {
  const { machines, changed_machines: changed, cost_per_month: cost, changes, comparisons } = preview
  return [
    `${changed} of ${machines} machines would have another price: ${difference(cost.after - cost.before)} per month.`,
    ...(changes.length === 0 ? [] : [renderTable([machineHead, ...changes.map(machineRow)])]),
    ...(comparisons.length === 0
      ? []
      : ['Cheapest replacements:', renderTable([comparisonHead, ...comparisons.map(comparisonRow)])]),
  ].join('\n')
}

const machineHead = ['TYPE', 'REGION', 'MACHINES', 'PER HOUR', 'RULES', 'PER MONTH']

const machineRow = (change: ChangedMachines): string[] => [
  change.instance_type ?? change.machines[0]!,
  change.region ?? '',
  String(change.count),
  `${hourlyOrUnknown(change.before.cost_per_hour)} -> ${hourlyOrUnknown(change.after.cost_per_hour)}`,
  change.after.price_rules.join(', '),
  difference(change.difference_per_month),
]

const hourlyOrUnknown = (price: number | null): string => (price === null ? 'unknown' : hourly(price))

const comparisonHead = ['TYPE', 'REGION', 'MACHINES', 'NOW', 'WITH THESE RULES']

const comparisonRow = (change: ChangedComparison): string[] => [
  change.instance_type,
  change.region,
  String(change.count),
  replacementText(change.before),
  afterText(change),
]

const afterText = ({ before, after }: ChangedComparison): string => {
  const [was, is] = [replacementText(before), replacementText(after)]
  if (was !== is || before === null || after === null) return is
  return `unchanged; its saving changes by ${difference(after.savings_per_month - before.savings_per_month)} per month`
}

const replacementText = (found: ChangedComparison['before']): string =>
  found === null
    ? 'none'
    : `${found.instance_type} at ${found.provider} ${found.region}, ${dollars(found.cost_per_month)} per month`

/** Returns the commitments of a CSV file whose columns are named as the members of a commitment. Empty cells are left out. */
async function readCommitmentsCsv(text: string): Promise<object[]> {
  const { csvRecords } = await import('../../../pricing/own-prices/csv-records.ts')
  const { CommitmentInput } = await import('../../../pricing/commitments/schema.ts')
  const properties: Readonly<Record<string, object>> = CommitmentInput.properties
  const [head, ...records] = csvRecords(text)
  const names = head?.cells.map((name) => name.trim().toLowerCase()) ?? []
  return records.map(({ line, cells, wrong }) => {
    if (wrong !== undefined) throw new CommandFailure(`line ${line} ${wrong}`)
    const members = names.flatMap((name, at): [string, unknown][] => {
      const cell = cells[at]?.trim() ?? ''
      if (cell === '') return []
      const { type } = (Object.hasOwn(properties, name) ? properties[name]! : {}) as { type?: string }
      if (type === 'number') return [[name, Number.isFinite(Number(cell)) ? Number(cell) : cell]]
      return [[name, type === 'boolean' && /^(true|false)$/i.test(cell) ? /^t/i.test(cell) : cell]]
    })
    return Object.fromEntries(members)
  })
}
