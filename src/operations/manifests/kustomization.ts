import type { SizedNamespace } from '../recommend-sizes/sized-namespace.ts'
import { patches } from './patches.ts'
import { writeYaml, type Yaml } from './yaml.ts'

/**
 * A component with the patches inside: one file to put beside a base and to name under `components`. Without patches it is
 * a component still, since a build in which it is named fails over a file of remarks alone.
 */
export function kustomization(sized: SizedNamespace): {
  readonly objects: readonly Yaml[]
  readonly remarks: readonly string[]
  readonly changesNothing: boolean
} {
  const { objects, remarks } = patches(sized)
  const component: Yaml = {
    apiVersion: 'kustomize.config.k8s.io/v1alpha1',
    kind: 'Component',
    patches: objects.map((object) => ({ target: targetOf(object), patch: writeYaml(object) })),
  }
  return { objects: [component], remarks, changesNothing: objects.length === 0 }
}

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
