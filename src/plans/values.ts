import type { PlanValues } from '../domain/planned-instance.ts'
import { asList, asObject, type Json } from './json.ts'

/** A resource's attributes. A block is a list of one in a plan, so a path goes through the first of a list. */
export function planValues(
  values: Json,
  unknown: unknown,
  providerSetting: (name: string) => string,
): PlanValues {
  const at = (path: string): unknown => first(path.split('.').reduce(step, values as unknown))
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
    length: (path) => asList(path.split('.').reduce(step, values as unknown)).length,
    isUnknown: (path) => isUnknown(unknown, path.split('.')),
    providerSetting,
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
