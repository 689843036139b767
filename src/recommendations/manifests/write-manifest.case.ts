import type { SizedNamespace } from '../containers/answer/view-namespace.case.ts'
import type { ManifestFormat } from './manifest-answer.ts'
import { ManifestContent } from './manifest-content.ts'

/** Writes a namespace as Kubernetes objects in YAML, or as a CSV table. */
export function writeManifest(sized: SizedNamespace, format: ManifestFormat): string {
  const { containers } = sized
  const content = new ManifestContent(sized, format)
  for (const container of containers) content.add(container)
  const end = {
    measuredHours: sized.measuredHours,
    newSpendAt: (index: number) => containers[index]!.newSpend,
  }
  return [...content.pieces(end)].join('')
}
