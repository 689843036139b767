import { useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { Popover } from '../parts/inputs/popover.tsx'
import { RadioList } from '../parts/inputs/radio-list.tsx'
import { setParams } from '../state/router.ts'
import { outsideClusters, useClusterCosts } from '../usage/cluster-costs.ts'
import { useCluster, usePeriod } from '../usage/period.ts'

/** Chooses one cluster for all pages, or all clusters. The list is loaded when it is opened. */
export function ClusterChoice() {
  const cluster = useCluster()
  const [opened, setOpened] = useState(false)
  const costs = useClusterCosts(usePeriod(), opened)
  const close = useRef(() => {})
  const names = [...new Set(costs.data?.map((row) => row.cluster ?? ''))]
    .filter((name) => name !== outsideClusters)
    .sort()
  const choose = (name: string | undefined) => {
    setParams({ cluster: name }, 'push')
    close.current()
  }
  const listed = costs.data === undefined && cluster !== undefined ? [cluster] : names
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
      <RadioList
        label="Cluster"
        name="cluster"
        options={[undefined, ...listed].map((name) => ({ value: name, text: name ?? 'All clusters' }))}
        chosen={cluster}
        onChoose={choose}
      />
      {costs.isPending && <p className="note">Loading clusters…</p>}
      {costs.isError && <p className="note">The clusters could not be loaded.</p>}
      {costs.data !== undefined && names.length === 0 && (
        <p className="note">No cluster sent usage in this period.</p>
      )}
    </Popover>
  )
}
