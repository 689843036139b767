import { CopyText } from '../parts/copy.tsx'
import { Empty } from '../parts/states.tsx'
import { remoteWrite } from '../usage/remote-write.ts'

/** Explains what to do if there is no usage yet. */
export function FirstUsage() {
  return (
    <Empty
      icon="boxes"
      title="No container usage yet"
      text="No container has reported usage. Let Prometheus send what it has, or import its history."
    >
      <ol className="steps">
        <li>
          <div>
            <h3>Send usage from Prometheus or a compatible agent</h3>
            <p className="note">The key needs the scope usage:write. Add to prometheus.yml:</p>
            <CopyText text={remoteWrite(location.origin)} />
          </div>
        </li>
        <li>
          <div>
            <h3>Or import the last month from an existing system</h3>
            <p className="note">Works with Prometheus, VictoriaMetrics, Thanos and Mimir, by PromQL.</p>
            <CopyText text="cheapside collect --from http://prometheus:9090 --cluster my-cluster" />
          </div>
        </li>
        <li>
          <div>
            <h3>Come back in a few minutes</h3>
            <p className="note">Recommendations improve with every day of history.</p>
          </div>
        </li>
      </ol>
    </Empty>
  )
}
