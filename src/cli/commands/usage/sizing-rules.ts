import { dollars } from '../../../domain/money.ts'
import { Problem } from '../../../domain/problem.ts'
import { cpuQuantity, memoryQuantity } from '../../../domain/quantity.ts'
import { plural } from '../../../domain/text.ts'
import type { OrganisationRules } from '../../../recommendations/containers/organisation-rules.ts'
import {
  patternNames,
  type SizingRuleInput,
  settingNames,
} from '../../../recommendations/containers/parse-constraints.ts'
import type { RulesEffect } from '../../../recommendations/containers/sizing-schema.ts'
import { type Call, type Command, exitCode, flagOption, textOption, UsageError } from '../../command.ts'
import { organisationOption, settingPath } from '../../organisation.ts'
import { readInput } from '../../read-json.ts'
import { difference, formatPercent, size } from '../../render/figures.ts'
import { renderTable } from '../../render/table.ts'
import type { ServiceClient } from '../../server.ts'
import { withAdminService } from '../../with-service.ts'
import { constraintOptions, constraintsOf } from './constraint-options.ts'

type ShownRules = OrganisationRules & { readonly would_change?: RulesEffect }

interface RulesAccess {
  read(): Promise<ShownRules>
  /** With `replaced`, throws a problem if these are no longer the rules. */
  write(rules: readonly SizingRuleInput[], replaced?: OrganisationRules): Promise<ShownRules>
}

const maxAttempts = 5

export const sizingRulesCommand: Command = {
  name: 'sizing rules',
  summary: "Show or set an organisation's sizing rules: profiles, bounds, limits and exclusions",
  settings: ['server', 'data', 'currency'],
  options: {
    organisation: organisationOption,
    cluster: textOption('PATTERN', 'Clusters that the rule applies to; default: all'),
    namespace: textOption('PATTERN', 'Namespaces that the rule applies to; default: all'),
    workload: textOption('PATTERN', 'Workloads that the rule applies to, by name or as Kind/name'),
    container: textOption('PATTERN', 'Containers that the rule applies to'),
    image: textOption('PATTERN', 'Images that the rule applies to, without tag, such as */istio/proxyv2'),
    label: textOption('NAME=PATTERN', 'Label of the workload or its namespace that the rule applies to'),
    profile: textOption('NAME', 'Sizing profile: balanced, cost, safe'),
    risk: textOption('SHARE', 'Instead of a profile: the accepted risk, 0 to 1'),
    qos: textOption('CLASS', 'guaranteed: limits equal requests; burstable: limits stay as they are'),
    exclude: flagOption('Sizes stay as they are'),
    'managed-by': textOption('NAME', 'Who sets the size instead of the workload, so that it is in no patch'),
    ...constraintOptions,
    file: textOption('FILE', 'Replace all rules with those of a YAML or JSON file; - reads standard input'),
    clear: flagOption('Remove all rules'),
    'dry-run': flagOption('Save nothing, and show what would change in sizes and money'),
  },
  notes: [
    'Without options it shows the rules. With settings it sets the rule for those patterns: it replaces the existing one, or',
    'is added at the end. All rules that match apply; later ones override earlier ones. * matches any text.',
    'FILE: a list of rules, such as [{"namespace": "team-*", "limits": "none", "min_cpu": 0.05}, ...], in JSON or YAML',
  ].join('\n'),
  run: (call) =>
    withAdminService(call, (service) =>
      change(call, rulesOf(service, call)).then((rules) => show(call, rules), inOptions(call)),
    ),
}

async function change(call: Call, access: RulesAccess): Promise<ShownRules> {
  const file = call.text('file')
  const rule = ruleOf(call)
  const isRule = settingNames.some((name) => rule[name] !== undefined)
  if ([file !== undefined, call.flag('clear'), isRule].filter(Boolean).length > 1)
    throw new UsageError('--file, --clear and settings of a rule cannot be combined')
  if (!isRule && patternNames.some((name) => rule[name] !== undefined))
    throw new UsageError('patterns such as --namespace need a setting, such as --limits none')
  if (call.flag('dry-run') && !isRule && file === undefined && !call.flag('clear'))
    throw new UsageError('--dry-run needs rules to compare with: settings of a rule, --file or --clear')
  if (call.flag('clear')) return access.write([])
  if (file !== undefined) return access.write(await rulesIn(file))
  return isRule ? setRule(access, rule) : access.read()
}

/** Members that were not given are left out. */
function ruleOf(call: Call): SizingRuleInput {
  const label = call.text('label')
  const at = label?.indexOf('=') ?? 0
  if (at < 1 && label !== undefined)
    throw new UsageError('--label must be NAME=PATTERN, such as team=payments')
  const rule: SizingRuleInput = {
    ...constraintsOf(call),
    cluster: call.text('cluster'),
    namespace: call.text('namespace'),
    workload: call.text('workload'),
    container: call.text('container'),
    image: call.text('image'),
    labels: label === undefined ? undefined : { [label.slice(0, at)]: label.slice(at + 1) },
    profile: call.text('profile'),
    risk: call.number('risk'),
    qos: call.text('qos'),
    exclude: call.flag('exclude') || undefined,
    managed_by: call.text('managed-by'),
  }
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined))
}

/** Retries if someone else has changed the rules in between. */
async function setRule(access: RulesAccess, rule: SizingRuleInput, attempt = 1): Promise<ShownRules> {
  const known = await access.read()
  const patterns = (one: SizingRuleInput) => JSON.stringify(patternNames.map((name) => one[name] ?? null))
  const at = known.rules.findIndex((one) => patterns(one) === patterns(rule))
  const rules = at < 0 ? [...known.rules, rule] : known.rules.with(at, rule)
  return access.write(rules, known).catch((error) => {
    const isRetried =
      error instanceof Problem && error.code === 'precondition-failed' && attempt < maxAttempts
    if (!isRetried) throw error
    return setRule(access, rule, attempt + 1)
  })
}

async function rulesIn(file: string): Promise<readonly SizingRuleInput[]> {
  const wrong = `${file} is not a list of rules in JSON or YAML, such as [{"namespace": "team-*", "limits": "none"}]`
  const text = (await readInput(file)).toString('utf8')
  const { parse } = await import('yaml')
  let rules: unknown
  try {
    rules = parse(text)
  } catch {
    throw new UsageError(wrong)
  }
  if (Array.isArray(rules) && rules.every((rule) => typeof rule === 'object' && rule !== null)) return rules
  throw new UsageError(wrong)
}

function rulesOf(service: ServiceClient, call: Call): RulesAccess {
  const named = call.text('organisation')
  return {
    read: () => service.ask(settingPath('sizing_rules', named)),
    write: async (rules, replaced) => {
      const whose = named ?? (await service.ask<{ organisation: string }>('/key')).organisation
      const path = `${settingPath('sizing_rules', whose)}${call.flag('dry-run') ? '?dry_run=true' : ''}`
      return service.ask(path, { method: 'PUT', body: { rules }, ifMatch: replaced?.etag })
    },
  }
}

/** Rules of a file are named by their place in it, a rule of options by the options: /rules/1/min_cpu -> --min-cpu */
const inOptions =
  (call: Call) =>
  (error: unknown): never => {
    if (!(error instanceof Problem) || error.errors === undefined) throw error
    if (call.text('file') !== undefined)
      throw new UsageError(error.errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; '))
    const errors = error.errors.map((one) => ({ ...one, pointer: one.pointer.replace(/^\/rules\/\d+/, '') }))
    throw new Problem(error.code, error.message, { errors })
  }

function show(call: Call, set: ShownRules) {
  if (call.json) call.out(JSON.stringify(set))
  else if (set.would_change !== undefined) showEffect(call, set.would_change)
  else if (set.rules.length === 0) call.out(`${set.organisation} has no sizing rules.`)
  else
    call.out(
      renderTable([
        ['RULE', 'APPLIES TO', 'SETS'],
        ...set.rules.map((rule, index) => [
          String(index + 1),
          wordsOf(rule, patternNames) || 'all',
          wordsOf(rule, settingNames),
        ]),
      ]),
    )
  return exitCode.done
}

const wordsOf = (rule: SizingRuleInput, names: readonly (keyof SizingRuleInput)[]): string =>
  names
    .flatMap((name) => {
      const value = rule[name]
      if (value === undefined) return []
      return typeof value === 'object'
        ? Object.entries(value).map(([label, pattern]) => `label:${label}=${pattern}`)
        : [`${name}=${value}`]
    })
    .join(' ')

function showEffect(call: Call, effect: RulesEffect): void {
  const { containers, cost_per_month: cost, cpu_request_cores: cpu, memory_request_gib: memory } = effect
  call.out(`Nothing is saved. ${plural(containers, 'container')} would get another size.`)
  for (const position of effect.unmatched_rules) call.out(`Rule ${position} applies to no container.`)
  call.out(
    renderTable([
      ['', 'NOW', 'WITH THESE RULES', 'DIFFERENCE'],
      ['Cost of recommended sizes per month', ...compared(cost, dollars, difference)],
      ['CPU requests, cores', ...compared(cpu, size)],
      ['Memory requests, GiB', ...compared(memory, size)],
    ]),
  )
  if (effect.largest.length === 0) return
  call.out(
    renderTable([
      ['NAMESPACE', 'WORKLOAD', 'CONTAINER', 'CPU', 'MEMORY', 'PER MONTH'],
      ...effect.largest.map((one) => [
        one.namespace,
        one.workload,
        one.container,
        changed(one.before.cpu_cores, one.after.cpu_cores, cpuQuantity),
        changed(one.before.memory_gib, one.after.memory_gib, memoryQuantity),
        `${dollars(one.cost_per_month.before)} -> ${dollars(one.cost_per_month.after)}`,
      ]),
    ]),
  )
}

const changed = (from: number | null, to: number | null, text: (amount: number) => string): string =>
  from === to ? '-' : [from, to].map((amount) => (amount === null ? 'none' : text(amount))).join(' -> ')

const signedSize = (amount: number): string => (amount > 0 ? `+${size(amount)}` : size(amount))

/** Before, after, and the difference with its share. */
function compared(
  { before, after }: RulesEffect['cost_per_month'],
  text: (amount: number) => string,
  signed: (amount: number) => string = signedSize,
): string[] {
  const change = after - before
  const share = before > 0 ? ` (${change > 0 ? '+' : ''}${formatPercent((100 * change) / before)})` : ''
  return [text(before), text(after), `${signed(change)}${share}`]
}
