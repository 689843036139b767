import { CopyText } from '../parts/copy.tsx'
import { counted } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { remoteWrite } from '../usage/remote-write.ts'
import { LoadDemo } from './load-demo.tsx'

const hoursForSizes = 6
const hoursForMachines = 24

interface Props {
  /** Whether anything but the host of the service has sent usage. */
  readonly isConnected: boolean
  /** Whether a cluster has sent usage. Machines may report without one: the host of the service does by default. */
  readonly hasCluster: boolean
  readonly hasSamples: boolean
  /** Hours of usage of clusters so far. */
  readonly hours: number
}

/** Shows the steps to the first recommendation. They are ticked automatically. */
export function Checklist({ isConnected, hasCluster, hasSamples, hours }: Props) {
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
                  : 'Add this to prometheus.yml; the file contains a key with the scope usage:write.'}
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
