import type { PlanValues } from '../domain/planned-instance.ts'
import { asList, asObject, type Json } from './json.ts'

/** What surrounds a resource. Attributes are paths from the resource itself. */
interface Surroundings {
  providerSetting(name: string): string
  /** Whether the configuration is known and does not set the attribute. */
  isUnset(path: string): boolean
  resource(path: string, value: unknown, types: readonly string[]): PlanValues | undefined
  referrers(type: string, path: string): readonly PlanValues[]
}

/** A resource's attributes. A block is a list of one in a plan, so a path goes through the first of a list. */
export function planValues(
  values: Json,
  unknown: unknown,
  surroundings: Surroundings,
  prefix = '',
): PlanValues {
  const within = (path: string): unknown => path.split('.').reduce(step, values as unknown)
  const at = (path: string): unknown => first(within(path))
  return {
    text(path) {
      const value = at(path)
      return typeof value === 'string' ? value : ''
    },
    flag: (path) => at(path) === true,
    number(path) {
      const value = at(path)
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined
    },
    length: (path) => asList(within(path)).length,
    texts: (path) => asList(within(path)).filter((value) => typeof value === 'string'),
    blocks: (path) =>
      asList(within(path)).map((block, i) => {
        const marks = path.split('.').reduce(step, unknown)
        const mark = Array.isArray(marks) ? marks[i] : marks
        return planValues(asObject(block), mark, surroundings, `${prefix}${path}.`)
      }),
    isUnknown: (path) => isUnknown(unknown, path.split('.')),
    isLeftToProvider(path) {
      const parent = path.split('.').slice(0, -1).join('.')
      // A block that `dynamic` makes is among the values, but not in the configuration.
      const isMade = parent !== '' && asList(within(parent)).length > 0
      return surroundings.isUnset(prefix + path) && !(isMade && surroundings.isUnset(prefix + parent))
    },
    providerSetting: surroundings.providerSetting,
    resource: (path, types) => surroundings.resource(prefix + path, at(path), types),
    referrers: surroundings.referrers,
  }
}

function step(value: unknown, name: string): unknown {
  const block = asObject(first(value))
  return Object.hasOwn(block, name) ? block[name] : undefined
}

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/** `true` anywhere on the path means that everything below is unknown. */
function isUnknown(marks: unknown, path: readonly string[]): boolean {
  const mark = first(marks)
  if (mark === true || path.length === 0) return mark === true
  return isUnknown(step(mark, path[0]!), path.slice(1))
}
