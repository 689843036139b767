import type { PlanValues } from '../../domain/planned-instance.ts'
import type { ResourceChange } from './changes.ts'
import { type Configuration, type ModulePath, moduleNames, type Reference } from './configuration.ts'
import type { Json } from './json.ts'
import { planValues } from './values.ts'

/** Returns a setting that the provider block leaves out, from the command line or the environment; '' if neither has it. */
export type DefaultSetting = (type: string, setting: string, isUnset: boolean) => string

interface ExistingResource {
  readonly change: ResourceChange
  readonly values: Json
}

/** All resources on one side of a plan, before or after, and how they refer to each other. */
export class Side {
  readonly #configuration: Configuration
  readonly #defaultSetting: DefaultSetting
  readonly #side: 'before' | 'after'
  readonly #byType: ReadonlyMap<string, readonly ExistingResource[]>
  readonly #byName: ReadonlyMap<string, readonly ExistingResource[]>
  /** Resources by type and by id, name or link. The map of a type is filled when a resource first refers to it. */
  readonly #byIdentity = new Map<string, Map<unknown, ExistingResource[]>>()
  /** Referring resources by the resource to which they refer, for each referring type, attribute and type. */
  readonly #referrers = new Map<string, Map<ResourceChange | undefined, ExistingResource[]>>()

  constructor(
    side: 'before' | 'after',
    configuration: Configuration,
    changes: readonly ResourceChange[],
    defaultSetting: DefaultSetting,
  ) {
    this.#side = side
    this.#configuration = configuration
    this.#defaultSetting = defaultSetting
    const existing = changes.flatMap((change): ExistingResource[] =>
      change[side] === null ? [] : [{ change, values: change[side] }],
    )
    this.#byType = Map.groupBy(existing, ({ change }) => change.type)
    this.#byName = Map.groupBy(existing, ({ change }) =>
      nameOf(moduleNames(change.module), change.type, change.name),
    )
  }

  valuesOf(change: ResourceChange): PlanValues | null {
    const values = change[this.#side]
    return values === null ? null : this.#valuesOf({ change, values })
  }

  #valuesOf({ change, values }: ExistingResource): PlanValues {
    const { module, type, name, before } = change
    const isBefore = this.#side === 'before' || values === before
    return planValues(values, isBefore ? undefined : change.unknown, {
      providerSetting: (setting) => {
        const given = this.#configuration.providerSetting(moduleNames(module), type, name, setting)
        return given || this.#defaultSetting(type, setting, given === undefined)
      },
      isUnset: (attribute) => this.#configuration.isUnset(moduleNames(module), type, name, attribute),
      resource: (attribute, value, types) => {
        const found = this.#target(change, attribute, value, types)
        return found && this.#valuesOf(found)
      },
      before: () => (isBefore || before === null ? undefined : this.#valuesOf({ change, values: before })),
      referrers: (referrer, attribute) =>
        (this.#referrersOf(referrer, attribute, type).get(change) ?? []).map((one) => this.#valuesOf(one)),
    })
  }

  #referrersOf(referrer: string, attribute: string, type: string) {
    const key = `${referrer} ${attribute} ${type}`
    let found = this.#referrers.get(key)
    if (found === undefined) {
      const all = this.#byType.get(referrer) ?? []
      found = Map.groupBy(
        all,
        ({ change, values }) => this.#target(change, attribute, values[attribute], [type])?.change,
      )
      this.#referrers.set(key, found)
    }
    return found
  }

  #target(from: ResourceChange, attribute: string, value: unknown, types: readonly string[]) {
    const named =
      typeof value === 'string' && value !== ''
        ? types.flatMap((type) => this.#identified(type).get(value) ?? [])
        : []
    if (named.length === 1) return named[0]
    const path = moduleNames(from.module)
    const references = this.#configuration.references(path, from.type, from.name, attribute, types)
    // If an expression refers to two resources, the one that it takes is decided only when the plan is applied.
    return references.length === 1 ? this.#instanceFor(from, references[0]!) : undefined
  }

  #identified(type: string): Map<unknown, ExistingResource[]> {
    let found = this.#byIdentity.get(type)
    if (found === undefined) {
      found = new Map()
      for (const existing of this.#byType.get(type) ?? [])
        for (const value of new Set(identities.map((identity) => existing.values[identity])))
          if (typeof value === 'string') found.getOrInsertComputed(value, () => []).push(existing)
      this.#byIdentity.set(type, found)
    }
    return found
  }

  /** Returns the only instance, or that of the same module instance and index. */
  #instanceFor(from: ResourceChange, { path, type, name, index }: Reference): ExistingResource | undefined {
    let left = this.#byName.get(nameOf(path, type, name)) ?? []
    const keep = (isIt: (change: ResourceChange) => boolean): void => {
      const kept = left.length > 1 ? left.filter(({ change }) => isIt(change)) : []
      if (kept.length > 0) left = kept
    }
    keep((change) => change.module === from.module)
    keep((change) => index !== '' && JSON.stringify(change.index) === index)
    keep((change) => change.index !== undefined && change.index === from.index)
    return left.length === 1 ? left[0] : undefined
  }
}

/** Attributes by which other resources name one. */
const identities = ['id', 'name', 'self_link', 'self_link_unique', 'arn']

const nameOf = (path: ModulePath, type: string, name: string): string => `${path.join('.')} ${type}.${name}`
