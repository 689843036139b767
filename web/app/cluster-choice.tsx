import { useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { Popover } from '../parts/popover.tsx'
import { useClusterCosts } from './cluster-costs.ts'
import { useCluster, usePeriod } from './period.ts'
import { setParams } from './router.ts'

/** Chooses one cluster for all pages, or all clusters. The list is loaded when it is opened. */
export function ClusterChoice() {
  const cluster = useCluster()
  const [opened, setOpened] = useState(false)
  const costs = useClusterCosts(usePeriod(), opened)
  const close = useRef(() => {})
  const names = [...new Set(costs.data?.map((row) => row.cluster ?? ''))].sort()
  const choose = (name: string | undefined) => {
    setParams({ cluster: name }, 'push')
    close.current()
  }
  const choice = (name: string | undefined) => (
    <label key={name ?? ''} className="check">
      <input type="radio" name="cluster" checked={cluster === name} onChange={() => choose(name)} />
      <span>{name ?? 'All clusters'}</span>
    </label>
  )
  return (
    <Popover
      label="Cluster"
      closer={close}
      onOpen={() => setOpened(true)}
      said={
        <>
          <Icon name="boxes" size={16} /> {cluster ?? 'All clusters'}
        </>
      }
    >
      <fieldset className="choice-list" aria-label="Cluster">
        {choice(undefined)}
        {(costs.data === undefined && cluster !== undefined ? [cluster] : names).map(choice)}
      </fieldset>
      {costs.isPending && <p className="note">Loading clusters…</p>}
      {costs.isError && <p className="note">The clusters could not be loaded.</p>}
      {costs.data !== undefined && names.length === 0 && (
        <p className="note">No cluster sent usage in this period.</p>
      )}
    </Popover>
  )
}
