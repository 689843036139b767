import { asList, asObject, asText, type Json, member } from './json.ts'

const planActions = ['create', 'delete', 'update', 'replace', 'no-op', 'forget'] as const
export type PlanAction = (typeof planActions)[number]

/** One managed resource before and after, as the document describes it; null if it does not exist on that side. */
export interface ResourceChange {
  readonly address: string
  /** The address of its module instance, '' for the root. */
  readonly module: string
  readonly type: string
  readonly name: string
  readonly index: unknown
  readonly action: PlanAction
  readonly before: Json | null
  readonly after: Json | null
  readonly unknown: unknown
  /** Why the plan defers it to a later one; '' if it does not. */
  readonly deferred: string
}

/**
 * Returns every managed resource of a plan once: those that it lists, then those of its prior state that it does not
 * list, then those that it defers.
 */
export function changesOfPlan(plan: Json): ResourceChange[] {
  const listed = asList(plan.resource_changes).map(asObject)
  const seen = new Set(listed.flatMap((one) => [addressOf(one), asText(one.previous_address)]))
  const unchanged = stateResources(member(plan, 'prior_state', 'values'))
    .filter((resource) => !seen.has(addressOf(resource)))
    .map((resource) => sameBeforeAndAfter(resource))
  const deferred = asList(plan.deferred_changes).flatMap((one) =>
    changeOf(asObject(member(one, 'resource_change')), asText(member(one, 'reason')) || 'deferred'),
  )
  return [...listed.flatMap((one) => changeOf(one, '')), ...unchanged, ...deferred]
}

/**
 * Returns the data sources that a plan or state has read, because resources refer to them. Their types
 * begin with `data.` here.
 */
export const dataSources = (document: Json): ResourceChange[] =>
  [member(document, 'prior_state', 'values'), document.values]
    .flatMap((values) => stateResources(values, 'data'))
    .map((resource) => ({ ...sameBeforeAndAfter(resource), type: `data.${asText(resource.type)}` }))

export const changesOfState = (state: Json): ResourceChange[] =>
  stateResources(state.values).map(sameBeforeAndAfter)

/** Returns how each resource changes from one state, or from the result of one plan, to another. */
export function plannedChangesBetween(before: Json, after: Json): ResourceChange[] {
  const [old, now] = [before, after].map(
    (document) => new Map(finalResources(document).map((resource) => [addressOf(resource), resource])),
  ) as [Map<string, Json>, Map<string, Json>]
  return [...new Set([...old.keys(), ...now.keys()])].map((address): ResourceChange => {
    const [was, is] = [old.get(address), now.get(address)]
    const values = { before: was ? asObject(was.values) : null, after: is ? asObject(is.values) : null }
    const action = !was ? 'create' : !is ? 'delete' : isSame(values) ? 'no-op' : 'update'
    return { ...sameBeforeAndAfter((is ?? was)!), ...values, action }
  })
}

const isSame = ({ before, after }: { before: unknown; after: unknown }): boolean =>
  JSON.stringify(before) === JSON.stringify(after)

function finalResources(document: Json): Json[] {
  const isPlan = document.planned_values !== undefined
  return stateResources(isPlan ? document.planned_values : document.values)
}

function changeOf(resource: Json, deferred: string): ResourceChange[] {
  const change = asObject(resource.change)
  const action = actionOf(change)
  if (action === undefined || asText(resource.mode) === 'data') return []
  const before = objectOrNull(change.before)
  // A forgotten resource leaves the state but keeps running. If it is created again, the new one runs in
  // addition to the old one.
  const isBesideForgotten = action === 'create' && asList(change.actions).includes('forget')
  return [
    {
      ...identityOf(resource),
      address: asText(resource.address) + (resource.deposed === undefined ? '' : ' (deposed)'),
      action,
      before: isBesideForgotten ? null : before,
      after: action === 'forget' ? before : objectOrNull(change.after),
      unknown: change.after_unknown,
      deferred,
    },
  ]
}

function sameBeforeAndAfter(resource: Json): ResourceChange {
  const values = asObject(resource.values)
  return {
    ...identityOf(resource),
    action: 'no-op',
    before: values,
    after: values,
    unknown: undefined,
    deferred: '',
  }
}

function identityOf(resource: Json) {
  return {
    address: addressOf(resource),
    module: asText(resource.module_address),
    type: asText(resource.type),
    name: asText(resource.name),
    index: resource.index,
  }
}

const objectOrNull = (value: unknown): Json | null =>
  value === null || value === undefined ? null : asObject(value)

function actionOf({ actions: given }: Json): PlanAction | undefined {
  const actions = asList(given)
  if (actions.length === 2 && actions.includes('create')) {
    return actions.includes('delete') ? 'replace' : 'create'
  }
  return planActions.find((action) => action === actions[0])
}

/** Terraform 0.12 omits module and index from the addresses in a state, so an address is composed from its parts. */
function addressOf(resource: Json): string {
  const { type, name, index } = resource
  // A plan and a state name the member differently.
  const deposed = resource.deposed ?? resource.deposed_key
  if (typeof type !== 'string' || typeof name !== 'string') return asText(resource.address)
  const module = asText(resource.module_address)
  const data = resource.mode === 'data' ? 'data.' : ''
  const instance = typeof index === 'number' || typeof index === 'string' ? `[${JSON.stringify(index)}]` : ''
  const old = deposed === undefined ? '' : ` (deposed ${asText(deposed)})`
  return `${module === '' ? '' : `${module}.`}${data}${type}.${name}${instance}${old}`
}

/** Returns the resources of all modules of a state, at any depth, those of a module before those of its children. */
function stateResources(values: unknown, mode: 'managed' | 'data' = 'managed'): Json[] {
  const found: Json[] = []
  const waiting = [{ module: member(values, 'root_module'), address: '' }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { module, address } = next
    const { resources, child_modules: children } = asObject(module)
    for (const resource of asList(resources).map(asObject))
      if ((resource.mode === 'data') === (mode === 'data'))
        found.push({ ...resource, module_address: address })
    for (const child of asList(children).toReversed())
      waiting.push({ module: child, address: asText(asObject(child).address) })
  }
  return found
}
