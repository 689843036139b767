import { asList, asObject, asText, type Json, member } from './json.ts'

/** Resolves settings of provider blocks: constants, and variables through modules up to the plan's own values. */
export class Configuration {
  readonly #plan: Json
  /** For each module that was looked up: the provider keys of its resources by type and name. */
  readonly #providerKeys = new Map<unknown, Map<string, string>>()

  constructor(plan: Json) {
    this.#plan = plan
  }

  /** `module` is the module address of the resource, '' for the root. Returns '' if the setting is missing. */
  providerSetting(module: string, type: string, name: string, setting: string): string {
    const key = this.#providerKey(moduleNames(module), type, name)
    const providers = asObject(member(this.#plan, 'configuration', 'provider_config'))
    const config = asObject(Object.hasOwn(providers, key) ? providers[key] : providers[afterColon(key)])
    const value = this.#resolve(
      member(config, 'expressions', setting),
      moduleNames(asText(config.module_address)),
    )
    return typeof value === 'string' ? value : ''
  }

  /** aws, aws.west, module.site:aws; where the configuration lacks the resource, its type's first word. */
  #providerKey(path: readonly string[], type: string, name: string): string {
    const module = this.#modules(path).at(-1)
    let keys = this.#providerKeys.get(module)
    if (keys === undefined) {
      keys = keysOf(module)
      this.#providerKeys.set(module, keys)
    }
    return keys.get(`${type}\0${name}`) || (type.split('_')[0] ?? '')
  }

  /** The root and each module on the path, outermost first; missing modules are left out. */
  #modules(path: readonly string[]): unknown[] {
    let at = member(this.#plan, 'configuration', 'root_module')
    const modules = [at]
    for (const name of path) {
      at = member(at, 'module_calls', name, 'module')
      modules.push(at)
    }
    return modules
  }

  /** Follows a variable outwards, from module to module, until its value is found. */
  #resolve(given: unknown, path: readonly string[]): unknown {
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

/** The first resource of a type and name counts. */
function keysOf(module: unknown): Map<string, string> {
  const keys = new Map<string, string>()
  for (const resource of asList(member(module, 'resources'))) {
    const id = `${asText(member(resource, 'type'))}\0${asText(member(resource, 'name'))}`
    if (!keys.has(id)) keys.set(id, asText(member(resource, 'provider_config_key')))
  }
  return keys
}

/** module.a["x"].module.b[0] -> a, b */
function moduleNames(address: string): string[] {
  const plain = address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '')
  return plain.split('.').filter((part, i) => part !== '' && i % 2 === 1)
}

const afterColon = (key: string): string => key.slice(key.lastIndexOf(':') + 1)
