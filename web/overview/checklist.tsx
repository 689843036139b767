import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { session } from '../api/session.ts'
import { CopyText } from '../parts/copy.tsx'
import { ago, counted } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { SourceHealth } from '../settings/source-health.tsx'
import { addressOf } from '../state/router.ts'
import { useSignal } from '../state/signal.ts'
import { remoteWrite } from '../usage/remote-write.ts'
import type { UsageSource } from '../usage/sources.ts'
import { LoadDemo } from './load-demo.tsx'

const hoursForSizes = 6
const hoursForMachines = 24
const maxSources = 5

interface Props {
  /** Whether anything but the host of the service has sent usage. */
  readonly isConnected: boolean
  /** Whether a cluster has sent usage. Machines may report without one: the host of the service does by default. */
  readonly hasCluster: boolean
  readonly hasSamples: boolean
  /** Hours of usage of clusters so far. */
  readonly hours: number
  readonly sources: readonly UsageSource[]
}

/** Shows the steps to the first recommendation. They are ticked automatically. */
export function Checklist({ isConnected, hasCluster, hasSamples, hours, sources }: Props) {
  const hasPrices = useHasPrices()
  const left = Math.max(0, Math.ceil(hoursForSizes - hours))
  return (
    <section className="card checklist" aria-label="Getting started">
      <h2>Connect your usage</h2>
      <ol>
        <Step done={isConnected} title="Prometheus or an agent is connected">
          {!isConnected && hasSamples && (
            <p className="note">So far only the machine that runs this service is measured.</p>
          )}
          {!hasCluster && (
            <>
              <p className="note">
                {hasSamples
                  ? 'For a cluster, add this to prometheus.yml; the file contains a key with the scope usage:write.'
                  : 'Add this to prometheus.yml; the file contains a key with the scope usage:write.'}{' '}
                <Link href={addressOf(['settings', 'keys'])}>Issue a key</Link>
              </p>
              <CopyText text={remoteWrite(location.origin)} />
              <p className="note">
                {hasSamples ? 'On other Linux machines:' : 'Or on a Linux machine outside a cluster:'}
              </p>
              <CopyText text={`cheapside agent --to ${location.origin} --key-file /etc/cheapside/key`} />
            </>
          )}
        </Step>
        <Step done={isConnected && hasSamples} title="First samples have arrived">
          {!(isConnected && hasSamples) && (
            <p className="note">
              Usage shows here about a minute after it is sent. This page refreshes automatically.
            </p>
          )}
          {sources.length > 0 && (
            <ul className="plain-list">
              {sources.slice(0, maxSources).map((source) => (
                <li key={`${source.kind} ${source.name}`}>
                  <b>{source.name}</b>:{' '}
                  {source.is_silent ? `last sample ${ago(source.last_seen, Date.now())}` : 'sends usage'}{' '}
                  <SourceHealth of={source} />
                </li>
              ))}
            </ul>
          )}
        </Step>
        <Step done={hasPrices} title="Your prices are known">
          <p className="note">
            {hasPrices
              ? 'Your price rules apply.'
              : 'List prices are used until you enter your discounts and commitments.'}{' '}
            <Link href={`${addressOf(['settings'])}#price-rules-title`}>Price rules</Link>
          </p>
        </Step>
        <Step
          done={isConnected && hasSamples && left === 0}
          title={
            hasCluster && hasSamples && left > 0
              ? `First sizes in ${counted(left, 'hour')}`
              : 'First sizes are recommended'
          }
        >
          {left > 0 && (
            <p className="note">
              A container needs {hoursForSizes} hours of usage for a recommendation, a machine{' '}
              {hoursForMachines} and a known price; both improve with every day of history.
            </p>
          )}
        </Step>
      </ol>
      <LoadDemo />
    </section>
  )
}

/** Whether the organisation has entered what it pays. */
function useHasPrices(): boolean {
  const mayRead = useSignal(session.state).record?.scopes.includes('pricing:read') ?? false
  const rules = useQuery({
    queryKey: ['price-rules'],
    queryFn: ({ signal }) => answer(service.GET('/v1/price_rules', { signal })),
    enabled: mayRead,
  })
  return (rules.data?.rules.length ?? 0) > 0
}

function Step({ done, title, children }: { done: boolean; title: string; children: React.ReactNode }) {
  return (
    <li data-done={done}>
      <span className="tick">{done && <Icon name="check" size={16} />}</span>
      <div>
        <h3>
          {title}
          <span className="visually-hidden">{done ? ' (done)' : ' (not yet)'}</span>
        </h3>
        {children}
      </div>
    </li>
  )
}
