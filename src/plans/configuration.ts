import { asList, asObject, asText, type Json, member } from './json.ts'

/** Resolves settings of provider blocks: constants, and variables through modules up to the plan's own values. */
export class Configuration {
  readonly #plan: Json

  constructor(plan: Json) {
    this.#plan = plan
  }

  /** `module` is the resource's module address, '' for the root. '' where the setting is not told. */
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
    const found = asList(this.#module(path)?.resources).find(
      (resource) => member(resource, 'type') === type && member(resource, 'name') === name,
    )
    return asText(member(found, 'provider_config_key')) || (type.split('_')[0] ?? '')
  }

  #module(path: readonly string[]): Json | undefined {
    let at = member(this.#plan, 'configuration', 'root_module')
    for (const name of path) at = member(at, 'module_calls', name, 'module')
    return at === undefined ? undefined : asObject(at)
  }

  #resolve(expression: unknown, path: readonly string[]): unknown {
    const { constant_value: constant, references } = asObject(expression)
    if (constant !== undefined) return constant
    // "var.site.region" comes with "var.site"; only a whole variable can be followed
    const names = asList(references).map((reference) => /^var\.([\w-]+)$/.exec(asText(reference))?.[1])
    const [name] = names
    if (name === undefined || names.length > 1) return undefined
    if (path.length === 0) {
      return (
        member(this.#plan, 'variables', name, 'value') ??
        member(this.#module([]), 'variables', name, 'default')
      )
    }
    const outer = path.slice(0, -1)
    const passed = member(this.#module(outer), 'module_calls', path.at(-1)!, 'expressions', name)
    return passed === undefined
      ? member(this.#module(path), 'variables', name, 'default')
      : this.#resolve(passed, outer)
  }
}

/** module.a["x"].module.b[0] -> a, b */
function moduleNames(address: string): string[] {
  const plain = address.replace(/\[(?:"(?:[^"\\]|\\.)*"|\d+)\]/g, '')
  return plain.split('.').filter((part, i) => part !== '' && i % 2 === 1)
}

const afterColon = (key: string): string => key.slice(key.lastIndexOf(':') + 1)
