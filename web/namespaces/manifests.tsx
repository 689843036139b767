import { CopyText } from '../parts/copy.tsx'
import { count, counted, share } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { Segmented } from '../parts/inputs/inputs.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Notice, Skeleton, Trouble } from '../parts/states.tsx'
import { setParams, usePlace } from '../state/router.ts'
import { leastSure } from './attention.tsx'
import { useManifest } from './queries.ts'
import type { SizingPreference } from './sizing-preference.ts'

const formats = [
  ['patch', 'Patch'],
  ['vpa', 'Autoscaler'],
  ['quota', 'Quota'],
  ['kustomize', 'Kustomize'],
  ['csv', 'CSV'],
] as const
type Format = (typeof formats)[number][0]

const about: Record<Format, string> = {
  patch: 'Patches of the workloads that change, for kubectl apply --server-side or a pull request.',
  vpa: 'VerticalPodAutoscaler objects that resize new pods within our bounds and evict none.',
  quota: 'A ResourceQuota with the recommended totals.',
  kustomize: 'A Kustomize component to add to your base.',
  csv: 'A table with one row per container.',
}

/** Offers the recommendations as files to download. */
export function Manifests({
  cluster,
  namespace,
  preference,
  containers,
  unsure,
}: {
  cluster: string
  namespace: string
  preference: SizingPreference
  containers: number
  /** Number of containers whose recommendation is little more than a guess. */
  unsure: number
}) {
  const given = usePlace().params.get('format')
  const format = formats.find(([each]) => each === given)?.[0] ?? 'patch'
  const asked = useManifest(cluster, namespace, preference, format)
  const file = `${namespace}-${format}.${format === 'csv' ? 'csv' : 'yaml'}`
  return (
    <section className="card" aria-labelledby="manifests-title">
      <div className="card-head">
        <h2 id="manifests-title">Export</h2>
        <Segmented
          label="Format"
          name="format"
          options={formats}
          value={format}
          onChange={(to) => setParams({ format: to === 'patch' ? undefined : to }, 'push')}
        />
      </div>
      <div className="manifest">
        <p className="note">{about[format]}</p>
        <button
          type="button"
          className="button"
          disabled={asked.data === undefined}
          onClick={() => saveFile(file, asked.data ?? '', format === 'csv' ? 'text/csv' : 'application/yaml')}
        >
          <Icon name="download" size={16} /> Download
        </button>
      </div>
      {unsure > 0 && (
        <Notice
          tone="warning"
          title={`${count(unsure)} of ${counted(containers, 'container')} with less than ${share(leastSure)} confidence`}
        >
          There is too little history to rely on these sizes. Measure longer before you apply them, or remove
          those containers.
        </Notice>
      )}
      {asked.isPending && <Skeleton lines={5} label="Loading the manifest" />}
      {asked.error !== null && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data !== undefined && <CopyText text={asked.data.trimEnd()} />}
    </section>
  )
}
