import { asList, asObject, asText, type Json, member } from './json.ts'

/** The names of modules from the root inwards. All instances of a module have the same path. */
export type ModulePath = readonly string[]

export interface Reference {
  readonly path: ModulePath
  readonly type: string
  readonly name: string
  /** The index as written, "0" or "\"a\""; '' if the reference names no instance. */
  readonly index: string
}

/** What the plan contains of the configuration: settings of provider blocks, and what expressions refer to. */
export class Configuration {
  readonly #plan: Json
  /** For each module that was looked up: its resources by type and name. */
  readonly #resources = new Map<unknown, Map<string, Json>>()

  constructor(plan: Json) {
    this.#plan = plan
  }

  /**
   * Returns undefined if the block does not set it, and '' if it sets it by an expression whose value
   * the plan does not contain.
   */
  providerSetting(path: ModulePath, type: string, name: string, setting: string): string | undefined {
    const key = asText(this.#resource(path, type, name).provider_config_key) || (type.split('_')[0] ?? '')
    const providers = asObject(member(this.#plan, 'configuration', 'provider_config'))
    const config = asObject(Object.hasOwn(providers, key) ? providers[key] : providers[afterColon(key)])
    const expression = member(config, 'expressions', setting)
    if (expression === undefined) return undefined
    return asText(this.#value(expression, moduleNames(asText(config.module_address))))
  }

  isUnset(path: ModulePath, type: string, name: string, attribute: string): boolean {
    const { expressions } = this.#resource(path, type, name)
    return expressions !== undefined && attribute.split('.').reduce(stepInto, expressions) === undefined
  }

  /** Returns the resources of these types to which an attribute refers, also through variables and outputs of modules. */
  references(
    path: ModulePath,
    type: string,
    name: string,
    attribute: string,
    types: readonly string[],
  ): Reference[] {
    const expressions = this.#resource(path, type, name).expressions
    const expression = attribute.split('.').reduce(stepInto, expressions)
    // Blocks made by `dynamic` are not among the expressions by their path.
    return this.#follow(expression ?? expressions, path, types, new Set())
  }

  /** Follows each name of each module once, so that a plan with cyclic references cannot make it run forever. */
  #follow(expression: unknown, path: ModulePath, types: readonly string[], followed: Set<string>) {
    const found = referencesIn(expression, 0).flatMap((reference): Reference[] => {
      const [, first = '', name = '', index = '', rest = ''] = referencePattern.exec(reference) ?? []
      if (types.includes(first)) return [{ path, type: first, name, index }]
      const step = JSON.stringify([path, first, name, rest])
      if (followed.has(step) || followed.size >= maxFollowed) return []
      followed.add(step)
      if (first === 'var' && path.length > 0) {
        const call = member(this.#module(path.slice(0, -1)), 'module_calls', path.at(-1)!, 'expressions')
        return this.#follow(member(call, name), path.slice(0, -1), types, followed)
      }
      if (first !== 'module') return []
      const inner = [...path, name]
      const value = member(this.#module(inner), 'outputs', rest.split(/[.[]/)[0]!, 'expression')
      return this.#follow(value, inner, types, followed)
    })
    const seen = new Set<string>()
    // "x.y[0].id" comes with "x.y[0]" and "x.y": the first names the instance.
    return found.filter((one) => seen.size < seen.add(`${one.path.join('.')} ${one.type}.${one.name}`).size)
  }

  #module(path: ModulePath): unknown {
    return this.#modules(path).at(-1)
  }

  #modules(path: ModulePath): unknown[] {
    let at = member(this.#plan, 'configuration', 'root_module')
    const modules = [at]
    for (const name of path) {
      at = member(at, 'module_calls', name, 'module')
      modules.push(at)
    }
    return modules
  }

  #resource(path: ModulePath, type: string, name: string): Json {
    const module = this.#module(path)
    let resources = this.#resources.get(module)
    if (resources === undefined) {
      resources = resourcesOf(module)
      this.#resources.set(module, resources)
    }
    return asObject(resources.get(`${type}\0${name}`))
  }

  /** Follows a variable outwards, from module to module, until its value is found. */
  #value(given: unknown, path: ModulePath): unknown {
    const modules = this.#modules(path)
    let expression = given
    for (let depth = path.length; ; depth--) {
      const { constant_value: constant, references } = asObject(expression)
      if (constant !== undefined) return constant
      // "var.site.region" comes with "var.site"; only a whole variable can be followed
      const names = asList(references)
      const name = names.length === 1 ? /^var\.([\w-]+)$/.exec(asText(names[0]))?.[1] : undefined
      if (name === undefined) return undefined
      const byDefault = member(modules[depth], 'variables', name, 'default')
      if (depth === 0) return member(this.#plan, 'variables', name, 'value') ?? byDefault
      expression = member(modules[depth - 1], 'module_calls', path[depth - 1]!, 'expressions', name)
      if (expression === undefined) return byDefault
    }
  }
}

/** No configuration is nested this deeply. */
const maxDepth = 20
/** No reference passes through this many variables and outputs. */
const maxFollowed = 200

/** The first resource of a type and name counts. */
function resourcesOf(module: unknown): Map<string, Json> {
  const resources = new Map<string, Json>()
  for (const resource of asList(member(module, 'resources'))) {
    const id = `${asText(member(resource, 'type'))}\0${asText(member(resource, 'name'))}`
    if (!resources.has(id) && member(resource, 'mode') !== 'data') resources.set(id, asObject(resource))
  }
  return resources
}

/** A block is a list of expressions. Those of one path are alike, so the first is used. */
function stepInto(expression: unknown, name: string): unknown {
  return member(Array.isArray(expression) ? expression[0] : expression, name)
}

/** aws_launch_template.web["a"].id -> aws_launch_template, web, "a", id */
const referencePattern = /^([\w-]+)\.([\w-]+)(?:\[("(?:[^"\\]|\\.)*"|\d+)\])?(?:\.(.*))?$/

function referencesIn(expression: unknown, depth: number): string[] {
  if (depth > maxDepth) return []
  if (Array.isArray(expression)) return expression.flatMap((one) => referencesIn(one, depth + 1))
  const object = asObject(expression)
  if (Array.isArray(object.references)) return object.references.map(asText)
  return Object.values(object).flatMap((one) => referencesIn(one, depth + 1))
}

/** module.a["x"].module.b[0] -> a, b */
export function moduleNames(address: string): string[] {
  const plain = address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '')
  return plain.split('.').filter((part, i) => part !== '' && i % 2 === 1)
}

const afterColon = (key: string): string => key.slice(key.lastIndexOf(':') + 1)
