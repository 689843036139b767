import { Problem } from '../../../domain/problem.ts'
import type { OrganisationRules } from '../../../recommendations/containers/organisation-rules.ts'
import type { SizingRuleInput } from '../../../recommendations/containers/parse-constraints.ts'
import { type Call, type Command, exitCode, textOption, UsageError } from '../../command.ts'
import { organisationOption } from '../../organisation.ts'
import { readJson } from '../../read-json.ts'
import { renderTable } from '../../render/table.ts'
import type { ServiceClient } from '../../server.ts'
import { withAdminService } from '../../with-service.ts'
import { constraintOptions, constraintsOf } from './constraint-options.ts'

/** Reads and replaces an organisation's rules. */
interface RulesAccess {
  read(): Promise<OrganisationRules>
  /** With `replaced`, throws a problem if these are no longer the rules. */
  write(rules: readonly SizingRuleInput[], replaced?: OrganisationRules): Promise<OrganisationRules>
}

const maxAttempts = 5

export const sizingRulesCommand: Command = {
  name: 'sizing rules',
  summary: "Show or set an organisation's sizing rules: limits and bounds by cluster and namespace",
  settings: ['server', 'data'],
  options: {
    organisation: organisationOption,
    cluster: textOption('PATTERN', 'Clusters that the rule applies to; default: all'),
    namespace: textOption('PATTERN', 'Namespaces that the rule applies to; default: all'),
    ...constraintOptions,
    file: textOption('FILE', 'Replace all rules with those of a JSON file; - reads standard input'),
    clear: { type: 'boolean', text: 'Remove all rules' },
  },
  notes: [
    'Without options it shows the rules. With constraints it sets the rule for that cluster and namespace: it replaces the',
    'existing one, or is added at the end. All rules that match apply; later ones override earlier ones. * matches any text.',
    'FILE: [{"namespace": "team-*", "limits": "none", "min_cpu": 0.05}, ...]',
  ].join('\n'),
  run: (call) =>
    withAdminService(call, (service) =>
      change(call, rulesOf(service, call)).then((rules) => show(call, rules), inOptions(call)),
    ),
}

async function change(call: Call, access: RulesAccess): Promise<OrganisationRules> {
  const file = call.text('file')
  const constraints = constraintsOf(call)
  const isRule = Object.values(constraints).some((value) => value !== undefined)
  const [cluster, namespace] = [call.text('cluster'), call.text('namespace')]
  if ([file !== undefined, call.flag('clear'), isRule].filter(Boolean).length > 1)
    throw new UsageError('--file, --clear and constraints cannot be combined')
  if (!isRule && (cluster !== undefined || namespace !== undefined))
    throw new UsageError('--cluster and --namespace need a constraint, such as --limits none')
  if (call.flag('clear')) return access.write([])
  if (file !== undefined) return access.write(await rulesIn(file))
  return isRule ? setRule(access, { cluster, namespace, ...constraints }) : access.read()
}

/** Retries if someone else has changed the rules in between. */
async function setRule(access: RulesAccess, rule: SizingRuleInput, attempt = 1): Promise<OrganisationRules> {
  const known = await access.read()
  const { cluster, namespace } = rule
  const at = known.rules.findIndex((one) => one.cluster === cluster && one.namespace === namespace)
  const rules = at < 0 ? [...known.rules, rule] : known.rules.with(at, rule)
  return access.write(rules, known).catch((error) => {
    const isRetried =
      error instanceof Problem && error.code === 'precondition-failed' && attempt < maxAttempts
    if (!isRetried) throw error
    return setRule(access, rule, attempt + 1)
  })
}

async function rulesIn(file: string): Promise<readonly SizingRuleInput[]> {
  const wrong = `${file} is not a JSON list of rules, such as [{"namespace": "team-*", "limits": "none"}]`
  const rules = await readJson(file, wrong)
  if (Array.isArray(rules) && rules.every((rule) => typeof rule === 'object' && rule !== null)) return rules
  throw new UsageError(wrong)
}

function rulesOf(service: ServiceClient, call: Call): RulesAccess {
  const named = call.text('organisation')
  const pathOf = (organisation: string) =>
    `/admin/organisations/${encodeURIComponent(organisation)}/sizing_rules`
  return {
    read: () => service.ask(named === undefined ? '/v1/sizing_rules' : pathOf(named)),
    write: async (rules, replaced) => {
      const whose = named ?? (await service.ask<{ organisation: string }>('/key')).organisation
      return service.ask(pathOf(whose), { method: 'PUT', body: { rules }, ifMatch: replaced?.etag })
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

function show(call: Call, set: OrganisationRules) {
  if (call.json) call.out(JSON.stringify(set))
  else if (set.rules.length === 0) call.out(`${set.organisation} has no sizing rules.`)
  else
    call.out(
      renderTable([
        ['RULE', 'CLUSTER', 'NAMESPACE', 'CONSTRAINTS'],
        ...set.rules.map(({ cluster = '*', namespace = '*', ...constraints }, index) => [
          String(index + 1),
          cluster,
          namespace,
          Object.entries(constraints)
            .map(([name, value]) => `${name}=${value}`)
            .join(' '),
        ]),
      ]),
    )
  return exitCode.done
}
