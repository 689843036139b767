import { candidatesOf } from '../compare/candidates.ts'
import type { TypeDetails } from '../compare/comparison.ts'
import { EffortCards } from '../compare/effort-cards.tsx'
import { useTypeDetails } from '../compare/queries.ts'
import { Breadcrumb } from '../parts/breadcrumb.tsx'
import { cores, count, day, gib, hourly, money, share, small } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { capNote } from '../parts/month-cap.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Skeleton, Trouble } from '../parts/states.tsx'
import { Tile } from '../parts/tile.tsx'
import { addressOf, usePlace } from '../state/router.ts'
import { Generation } from './columns.tsx'
import { RegionPrices } from './region-prices.tsx'
import { TypeHistory } from './type-history.tsx'
import { TypeSheet } from './type-sheet.tsx'

/** Shows all that is known about one type. */
export function TypeView({ provider, type }: { provider: string; type: string }) {
  const region = usePlace().params.get('region') ?? undefined
  const asked = useTypeDetails(provider, type, region)
  const found = asked.data
  return (
    <>
      <Breadcrumb
        crumbs={[
          { name: 'Instance types', href: addressOf(['prices', 'types']) },
          {
            name: found?.provider ?? provider,
            href: addressOf(
              ['prices', 'types'],
              new URLSearchParams({ provider: found?.provider_key ?? provider }),
            ),
          },
          { name: found?.instance_type ?? type },
        ]}
      />
      <PageHead
        title={
          <>
            {found?.instance_type ?? type} {found !== undefined && <Generation of={found.machine} />}
          </>
        }
        text={found === undefined ? undefined : kindOf(found)}
      >
        {found !== undefined && (
          <Link
            className="button primary"
            href={addressOf(
              ['prices', 'compare'],
              new URLSearchParams({
                provider: found.provider_key,
                type: found.instance_type,
                ...(region === undefined ? {} : { region }),
              }),
            )}
          >
            <Icon name="scales" size={16} /> Compare this machine
          </Link>
        )}
      </PageHead>
      {asked.isPending && <Skeleton lines={10} label="Loading the type" />}
      {asked.error !== null && found === undefined && (
        <Trouble error={asked.error} again={() => void asked.refetch()} />
      )}
      {found !== undefined && <Known of={found} />}
    </>
  )
}

const kindOf = ({ provider, architecture, gpu, machine }: TypeDetails): string =>
  [
    provider,
    architecture,
    machine.processor,
    gpu === null ? null : `${small(gpu.count)} × ${gpu.name}`,
    ...machine.kinds.map((kind) => kind.replaceAll('-', ' ')),
  ]
    .filter(Boolean)
    .join(', ')

function Known({ of }: { of: TypeDetails }) {
  const { machine, equivalents } = of
  const { speed, local_disk: disk, network } = machine
  const hasDisk = disk !== null && disk.gib !== 0
  return (
    <>
      <dl className="tiles">
        <Tile
          label="Size"
          value={cores(of.cpu_cores)}
          note={`${gib(of.ram_gb)} of memory${of.burstable_baseline === null ? '' : `, sustains ${share(of.burstable_baseline)} of each core`}`}
        />
        <Tile
          label="Speed of a vCPU"
          value={speed === null ? 'not known' : count(speed.coremark_per_vcpu)}
          note={
            speed === null ? 'no benchmark of it or its family' : `CoreMark a second, ${speedBasis(speed)}`
          }
        />
        <Tile
          label="Local disk"
          value={!hasDisk ? 'none' : disk.gib === null ? 'size not known' : gib(disk.gib)}
          note={hasDisk ? disk.kind : 'storage is bought separately'}
        />
        <Tile
          label="Network"
          value={network?.max_gbps == null ? 'not known' : `${network.max_gbps} Gbit/s`}
          note={
            network?.max_gbps == null
              ? undefined
              : network.baseline_gbps == null
                ? 'at most'
                : `at most; ${network.baseline_gbps} sustained`
          }
        />
        <Tile
          label="On demand from"
          value={money(of.cost_per_month_from)}
          note={
            of.cost_per_hour_from === null
              ? 'no on-demand price'
              : `per month, ${hourly(of.cost_per_hour_from)}/h${capNote(of.cost_per_hour_from, of.cost_per_month_from)}, price of ${day(of.price_day)}`
          }
        />
      </dl>
      <TypeSheet of={of} />
      <RegionPrices of={of} />
      <TypeHistory of={of} />
      <h2 className="section-title">Cheaper comparable machines</h2>
      {equivalents === null || candidatesOf(equivalents.options).length === 0 ? (
        <Empty
          icon="check"
          title="None"
          text={
            equivalents === null
              ? 'It has no on-demand price here to compare with.'
              : `No comparable machine near ${equivalents.region} costs less.`
          }
        />
      ) : (
        <>
          <p className="note equivalents-note">Compared with its on-demand price in {equivalents.region}.</p>
          <EffortCards options={equivalents.options} />
        </>
      )}
    </>
  )
}

const speedBasis = ({ basis, borrowed_from }: NonNullable<TypeDetails['machine']['speed']>): string =>
  borrowed_from !== null
    ? `estimated from ${borrowed_from} (${basis.replaceAll('-', ' ')})`
    : basis === 'coremark'
      ? 'measured'
      : `estimated from ${basis}`
