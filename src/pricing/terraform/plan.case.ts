import { planProviders } from '../../providers/terraform/plan-providers.ts'
import { readTerraformPlan } from './terraform.ts'

/** A resource change of a plan, with what a test does not name left out. */
export interface Change {
  readonly type: string
  readonly name?: string
  readonly module?: string
  readonly actions?: string[]
  readonly before?: object | null
  readonly after?: object | null
  readonly unknown?: object
}

export const change = ({
  type,
  name = 'web',
  module,
  actions = ['create'],
  before = null,
  after = null,
  unknown = {},
}: Change) => ({
  address: `${module ? `${module}.` : ''}${type}.${name}`,
  ...(module ? { module_address: module } : {}),
  mode: 'managed',
  type,
  name,
  change: { actions, before, after, after_unknown: unknown },
})

export const read = (plan: object) => readTerraformPlan({ format_version: '1.2', ...plan }, planProviders)

/** What is read of a plan that changes one resource. */
export const one = (resource: Change, more: object = {}) => {
  const { reading, ...found } = read({ resource_changes: [change(resource)], ...more }).changes[0]!
  return { ...found, ...(reading === 'unknown' ? { before: null, after: null } : reading) }
}
