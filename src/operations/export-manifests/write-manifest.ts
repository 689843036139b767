import { recommendedQuota } from '../../allocation/totals.ts'
import type { SizedNamespace } from '../recommend-sizes/sized-namespace.ts'
import { ManifestContent } from './manifest-content.ts'
import { type ManifestFormat, manifestFormats } from './write-head.ts'

export { type ManifestFormat, manifestFormats }

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

/** A namespace as Kubernetes objects in YAML, or as a table. */
export function writeManifest(sized: SizedNamespace, format: ManifestFormat): string {
  const { containers } = sized
  const content = new ManifestContent(sized, format)
  for (const container of containers) content.add(container)
  const end = {
    quota: recommendedQuota(containers),
    measuredHours: sized.measuredHours,
    spendThenAt: (index: number) => containers[index]!.spendThen,
  }
  return [...content.pieces(end)].join('')
}
