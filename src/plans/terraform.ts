import type { PlanReading, PlanResource } from '../domain/planned-instance.ts'
import { Configuration } from './configuration.ts'
import { asList, asObject, asText, type Json, member } from './json.ts'
import { planValues } from './values.ts'

const planActions = ['create', 'delete', 'update', 'replace', 'no-op', 'forget'] as const
export type PlanAction = (typeof planActions)[number]

/** What happens to one resource; null where it is not there before or after. */
interface PlannedChange {
  readonly address: string
  readonly action: PlanAction
  readonly before: PlanReading | null
  readonly after: PlanReading | null
}

export interface TerraformPlan {
  readonly changes: readonly PlannedChange[]
  /** Managed resources of kinds that are no machines. */
  readonly otherResources: number
}

export class NotAPlan extends Error {
  override readonly name = 'NotAPlan'
}

/** Reads what `terraform show -json` prints of a plan, or of a state, in which nothing changes. */
export function readTerraformPlan(document: unknown, resources: readonly PlanResource[]): TerraformPlan {
  const plan = asObject(document)
  const isPlan = Array.isArray(plan.resource_changes) || plan.planned_values !== undefined
  const state = isPlan ? member(plan, 'prior_state', 'values') : plan.values
  if (!isPlan && (plan.format_version === undefined || state === undefined)) {
    throw new NotAPlan(
      'This is not what "terraform show -json" prints of a plan: it has neither resource_changes nor values.',
    )
  }
  const known = new Map(resources.map((resource) => [resource.type, resource]))
  const configuration = new Configuration(plan)
  const changed = asList(plan.resource_changes).map(asObject)
  const listed = new Set(changed.map((resource) => asText(resource.address)))
  const unchanged = stateResources(member(state, 'root_module'), '')
    .filter((resource) => !listed.has(asText(resource.address)))
    .map(
      (resource): Json => ({
        ...resource,
        change: { actions: ['no-op'], before: resource.values, after: resource.values },
      }),
    )
  const managed = [...changed, ...unchanged].filter(
    (resource) => asText(resource.mode) !== 'data' && actionOf(resource) !== undefined,
  )
  const machines = managed.filter((resource) => known.has(asText(resource.type)))
  return {
    changes: machines.map((resource) =>
      readChange(resource, known.get(asText(resource.type))!, configuration),
    ),
    otherResources: managed.length - machines.length,
  }
}

function readChange(resource: Json, kind: PlanResource, configuration: Configuration): PlannedChange {
  const change = asObject(resource.change)
  const action = actionOf(resource)!
  const setting = (name: string): string =>
    configuration.providerSetting(asText(resource.module_address), kind.type, asText(resource.name), name)
  const read = (values: unknown, unknown: unknown): PlanReading | null =>
    values === null || values === undefined ? null : kind.read(planValues(asObject(values), unknown, setting))
  // What is forgotten leaves the state but goes on running.
  const replacesForgotten = action === 'create' && asList(change.actions).includes('forget')
  const before = replacesForgotten ? null : read(change.before, undefined)
  const address = asText(resource.address) + (resource.deposed === undefined ? '' : ' (deposed)')
  const after = action === 'forget' ? before : read(change.after, change.after_unknown)
  return { address, action, before, after }
}

/** undefined for what only reads. */
function actionOf(resource: Json): PlanAction | undefined {
  const actions = asList(member(resource, 'change', 'actions'))
  if (actions.length === 2 && actions.includes('create')) {
    return actions.includes('delete') ? 'replace' : 'create'
  }
  return planActions.find((action) => action === actions[0])
}

/** The resources of a state's modules, as deep as they go, a module's own before its children's. */
function stateResources(root: unknown, rootAddress: string): Json[] {
  const found: Json[] = []
  const waiting = [{ module: root, address: rootAddress }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { module, address } = next
    const { resources, child_modules: children } = asObject(module)
    for (const resource of asList(resources)) found.push({ ...asObject(resource), module_address: address })
    for (const child of asList(children).toReversed())
      waiting.push({ module: child, address: asText(asObject(child).address) })
  }
  return found
}
