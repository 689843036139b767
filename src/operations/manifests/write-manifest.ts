import type { SizedNamespace } from '../recommend-sizes/sized-namespace.ts'
import { verticalAutoscalers } from './autoscalers.ts'
import { writeCsv } from './csv.ts'
import { kustomization } from './kustomization.ts'
import { patches } from './patches.ts'
import { quota } from './quota.ts'
import { writeDocuments, type Yaml } from './yaml.ts'

export const manifestFormats = ['patch', 'vpa', 'quota', 'kustomize', 'csv'] as const
export type ManifestFormat = (typeof manifestFormats)[number]

export const yamlMediaType = 'application/yaml'
export const csvMediaType = 'text/csv'

export const fileNames: Readonly<Record<ManifestFormat, string>> = {
  patch: 'patch.yaml',
  vpa: 'vpa.yaml',
  quota: 'quota.yaml',
  kustomize: 'kustomization.yaml',
  csv: 'recommendations.csv',
}

export const mediaTypeOf = (format: ManifestFormat): string =>
  format === 'csv' ? csvMediaType : yamlMediaType

/** What to take away of a namespace: Kubernetes objects in YAML, or a table. */
export function writeManifest(sized: SizedNamespace, format: ManifestFormat): string {
  if (format === 'csv') return writeCsv(sized)
  const { make, apply } = yamlFormats[format]
  const { objects, remarks, changesNothing = objects.length === 0 } = make(sized)
  const place = `namespace ${sized.namespace} of cluster ${sized.cluster}`
  if (sized.containers.length === 0)
    return writeDocuments([`Nothing is known of ${place} in this time.`], objects)
  const head = [
    `Recommended for ${place}.`,
    changesNothing ? 'There is nothing to change.' : apply,
    ...remarks,
  ]
  return writeDocuments(head, objects)
}

interface YamlFormat {
  make(sized: SizedNamespace): {
    readonly objects: readonly Yaml[]
    readonly remarks: readonly string[]
    /** Unless given: where there are no objects. */
    readonly changesNothing?: boolean
  }
  readonly apply: string
}

const yamlFormats: Readonly<Record<Exclude<ManifestFormat, 'csv'>, YamlFormat>> = {
  patch: {
    make: patches,
    apply:
      'Parts of workloads: kubectl apply --server-side --force-conflicts --field-manager=cheapside -f FILE',
  },
  vpa: { make: verticalAutoscalers, apply: 'Needs the Vertical Pod Autoscaler: kubectl apply -f FILE' },
  quota: { make: quota, apply: 'kubectl apply -f FILE' },
  kustomize: {
    make: kustomization,
    apply: 'Put it into a folder beside your base and name the folder under components.',
  },
}
