import { writeDocument, writeYaml, type Yaml } from './yaml.ts'

/**
 * A component with the patches inside: one file to put beside a base and to name under `components`. Without patches it is
 * a component still, since a build in which it is named fails over a file of remarks alone.
 */
export function componentHead(isEmpty: boolean): string {
  const head = writeDocument({ apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' })
  return `${head}patches:${isEmpty ? ' []' : ''}\n`
}

/** A patch inside the component. */
export const componentPatch = (object: Yaml): Yaml => ({ target: targetOf(object), patch: writeYaml(object) })

/** Kustomize finds a workload by kind and name; its namespace may be set by another layer. */
function targetOf(object: Yaml): Yaml {
  const { apiVersion, kind, metadata } = object as {
    apiVersion: string
    kind: string
    metadata: { name: string }
  }
  const [version, group] = apiVersion.split('/').reverse()
  return { group, version: version!, kind, name: `^${escaped(metadata.name)}$` }
}

/** Names in targets are regular expressions. */
const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
