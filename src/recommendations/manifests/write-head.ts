import type { NamespaceRef } from '../../domain/subject.ts'
import { writeDocument, writeRemark, writeYaml, type Yaml } from './yaml.ts'

export const manifestFormats = ['patch', 'vpa', 'quota', 'kustomize', 'csv'] as const
export type ManifestFormat = (typeof manifestFormats)[number]
type YamlFormat = Exclude<ManifestFormat, 'csv'>

/** How to use a file, by format. Server-side apply removes what the same manager applied earlier and no longer names. */
const uses: Readonly<Record<YamlFormat, string>> = {
  patch:
    'Partial objects for server-side apply only. Apply with another field manager each time; server-side apply would otherwise undo the earlier patch: kubectl apply --server-side --force-conflicts --field-manager="cheapside-$(date +%s)" -f FILE',
  vpa: 'Needs the Vertical Pod Autoscaler: kubectl apply -f FILE',
  quota:
    'After the recommended sizes are rolled out, because further pods are refused while a quota is exceeded: kubectl apply -f FILE',
  kustomize: 'Put it into a directory next to your base and list the directory under components.',
}

const rounding = 'Quantities are rounded up to whole millicores and MiB.'

export function* writeHead(
  format: YamlFormat,
  { cluster, namespace }: NamespaceRef,
  about: {
    readonly isKnown: boolean
    readonly changesNothing: boolean
    readonly remarks: Iterable<string>
  },
): Generator<string> {
  const place = `namespace ${namespace} of cluster ${cluster}`
  if (!about.isKnown) {
    yield writeRemark(`No usage of ${place} in this period.`)
    return
  }
  yield writeRemark(`Recommended for ${place}.`)
  yield writeRemark(about.changesNothing ? 'No change is recommended.' : uses[format])
  if (!about.changesNothing) yield writeRemark(rounding)
  for (const remark of about.remarks) yield writeRemark(remark)
}

/**
 * Begins a component that contains the patches: one file to put beside a base and to list under `components`. Without
 * patches it is still a component, because a build that lists a file of remarks alone fails.
 */
export function componentHead(isEmpty: boolean): string {
  const head = writeDocument({ apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component' })
  return `${head}patches:${isEmpty ? ' []' : ''}\n`
}

export const componentPatch = (object: Yaml): Yaml => ({ target: targetOf(object), patch: writeYaml(object) })

/** Kustomize finds a workload by kind and name. Its namespace may be set by another layer. */
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
