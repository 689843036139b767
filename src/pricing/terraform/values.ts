import type { PlanValues } from '../../domain/planned-instance.ts'
import { asList, asObject, type Json } from './json.ts'

/** Gives access to what is outside of a resource. Attributes are paths from the resource itself. */
interface ResourceContext {
  providerSetting(name: string): string
  isUnset(path: string): boolean
  resource(path: string, value: unknown, types: readonly string[]): PlanValues | undefined
  before(): PlanValues | undefined
  referrers(type: string, path: string): readonly PlanValues[]
}

/**
 * Gives access to the attributes of a resource. A block is a list of one element in a plan, so a path goes through the
 * first element of a list.
 */
export function planValues(
  values: Json,
  unknown: unknown,
  context: ResourceContext,
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
        return planValues(asObject(block), mark, context, `${prefix}${path}.`)
      }),
    isUnknown: (path) => isUnknown(unknown, path.split('.')),
    isLeftToProvider(path) {
      const parent = path.split('.').slice(0, -1).join('.')
      // A block that `dynamic` generates is among the values, but not in the configuration.
      const hasBlock = parent !== '' && asList(within(parent)).length > 0
      return context.isUnset(prefix + path) && !(hasBlock && context.isUnset(prefix + parent))
    },
    providerSetting: context.providerSetting,
    resource: (path, types) => context.resource(prefix + path, at(path), types),
    before: context.before,
    referrers: context.referrers,
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
