import type { PlanProvider, PlanReading, PlanResource } from '../../domain/planned-instance.ts'
import {
  changesOfPlan,
  changesOfState,
  dataSources,
  type PlanAction,
  plannedChangesBetween,
  type ResourceChange,
} from './changes.ts'
import { Configuration } from './configuration.ts'
import { asList, asObject, type Json, member } from './json.ts'
import { type DefaultSetting, Side } from './side.ts'

export type { PlanAction } from './changes.ts'

/** What happens to one resource. A reading is null if the resource does not exist before or after. */
export interface PlannedChange {
  readonly address: string
  readonly type: string
  /** Together with `name`, this is where the configuration declares the resource. */
  readonly module: string
  readonly name: string
  readonly action: PlanAction
  /** Names by which the provider knows the machine, if it exists already. */
  readonly identities: readonly string[]
  readonly reading: { readonly before: PlanReading | null; readonly after: PlanReading | null } | 'unknown'
}

export interface TerraformPlan {
  readonly changes: readonly PlannedChange[]
  /** Number of resources that were changed outside of Terraform. The values before include these changes. */
  readonly drifted: number
}

/** Settings that the plan itself may lack. */
export interface PlanDefaults {
  readonly regions: Readonly<Record<string, string>>
  readonly environment: Readonly<Record<string, string | undefined>>
}

export const noDefaults: PlanDefaults = { regions: {}, environment: {} }

export class NotAPlan extends Error {
  override readonly name = 'NotAPlan'
}

/** Reads what `terraform show -json` prints of a plan, or of a state, in which nothing changes. */
export function readTerraformPlan(
  document: unknown,
  providers: readonly PlanProvider[],
  defaults: PlanDefaults = noDefaults,
): TerraformPlan {
  const plan = asObject(document)
  refuseErrored(plan)
  const changes = isPlan(plan) ? changesOfPlan(plan) : changesOfState(stateIn(plan))
  return readChanges(changes, plan, plan, providers, defaults)
}

/** Reads two states, or the results of two plans, as one change from the first to the second. */
export function readTerraformDifference(
  before: unknown,
  after: unknown,
  providers: readonly PlanProvider[],
  defaults: PlanDefaults = noDefaults,
): TerraformPlan {
  const [old, now] = [asObject(before), asObject(after)]
  for (const [name, document] of Object.entries({ before: old, after: now })) {
    refuseErrored(document)
    if (document.planned_values !== undefined) continue
    if (isPlan(document))
      throw new NotAPlan(`The plan ${name} has no planned_values, so its result is not known.`)
    stateIn(document)
  }
  return readChanges(plannedChangesBetween(old, now), old, now, providers, defaults)
}

const isPlan = (document: Json): boolean =>
  Array.isArray(document.resource_changes) || document.planned_values !== undefined

/** Terraform also saves a plan that it could not finish. What it lacks would seem to cost nothing. */
function refuseErrored(document: Json): void {
  if (document.errored === true)
    throw new NotAPlan(
      'Terraform stopped with an error while it made this plan, so changes are missing from it.',
    )
}

function stateIn(document: Json): Json {
  if (document.format_version !== undefined && document.values !== undefined) return document
  // An empty state prints only its version.
  const members = Object.keys(document)
  if (typeof document.format_version === 'string' && members.every((name) => /_version$/.test(name)))
    return document
  throw new NotAPlan(
    'This is not what "terraform show -json" prints of a plan: it has neither resource_changes nor values.',
  )
}

function readChanges(
  changes: readonly ResourceChange[],
  before: Json,
  after: Json,
  providers: readonly PlanProvider[],
  defaults: PlanDefaults,
): TerraformPlan {
  const kinds = new Kinds(providers)
  const setting = defaultSettings(kinds, defaults)
  const sides = {
    before: new Side('before', new Configuration(before), [...changes, ...dataSources(before)], setting),
    after: new Side('after', new Configuration(after), [...changes, ...dataSources(after)], setting),
  }
  const read = (change: ResourceChange, kind: PlanResource, side: 'before' | 'after'): PlanReading | null => {
    const values = sides[side].valuesOf(change)
    if (values === null) return null
    return change.deferred === '' || kind.treatment === 'free'
      ? kind.read(values)
      : { unpriced: `the plan leaves it to a later one (${change.deferred})` }
  }
  return {
    changes: changes.map((change) => {
      const kind = kinds.find(change.type)?.resource
      return {
        address: change.address,
        type: change.type,
        module: change.module,
        name: change.name,
        action: change.action,
        identities: identitiesOf(change.before),
        reading: kind
          ? { before: read(change, kind, 'before'), after: read(change, kind, 'after') }
          : 'unknown',
      }
    }),
    drifted: asList(after.resource_drift).length,
  }
}

/** Returns the names by which a machine is known. A machine that is yet to be created has none. */
function identitiesOf(before: Json | null): string[] {
  const named = ['private_dns', 'computer_name', 'hostname', 'name', 'id'].map((name) => before?.[name])
  const values = [...named, member(before, 'tags', 'Name')]
  return values.filter((value) => typeof value === 'string' && value !== '') as string[]
}

function defaultSettings(kinds: Kinds, { regions, environment }: PlanDefaults): DefaultSetting {
  return (type, setting, isUnset) => {
    const provider = kinds.find(type)?.provider
    if (provider === undefined) return ''
    const isRegionGiven = setting === 'region' && Object.hasOwn(regions, provider.provider)
    if (isRegionGiven) return regions[provider.provider]!
    // Terraform itself reads the environment only if the block does not set the value.
    const variables = isUnset ? (provider.environment[setting] ?? []) : []
    return variables.map((variable) => environment[variable] ?? '').find((value) => value !== '') ?? ''
  }
}

/** Finds resource types by their exact name, then by the longest prefix that ends in `*`. */
class Kinds {
  readonly #exact = new Map<string, { provider: PlanProvider; resource: PlanResource }>()
  readonly #prefixes: { prefix: string; provider: PlanProvider; resource: PlanResource }[] = []

  constructor(providers: readonly PlanProvider[]) {
    for (const provider of providers)
      for (const resource of provider.resources) {
        if (!resource.type.endsWith('*')) this.#exact.set(resource.type, { provider, resource })
        else this.#prefixes.push({ prefix: resource.type.slice(0, -1), provider, resource })
      }
    this.#prefixes.sort((a, b) => b.prefix.length - a.prefix.length)
  }

  find(type: string): { provider: PlanProvider; resource: PlanResource } | undefined {
    return this.#exact.get(type) ?? this.#prefixes.find(({ prefix }) => type.startsWith(prefix))
  }
}
