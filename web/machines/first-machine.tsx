import { CopyText } from '../parts/copy.tsx'
import { Empty } from '../parts/states.tsx'

/** Explains what to do if no machine reports usage yet. */
export function FirstMachine() {
  return (
    <Empty
      icon="server"
      title="No machine reports usage yet"
      text="A small agent on a Linux host measures its processes. It runs as any user:"
    >
      <ol className="steps">
        <li>
          <div>
            <h3>Create a key for agents</h3>
            <CopyText text="cheapside keys issue --name agents --scope usage:write" />
          </div>
        </li>
        <li>
          <div>
            <h3>Start the agent on a host</h3>
            <CopyText text={`cheapside agent --to ${location.origin} --key-file /etc/cheapside/key`} />
          </div>
        </li>
        <li>
          <div>
            <h3>Or measure this host first, without sending anything</h3>
            <CopyText text="cheapside agent --once" />
          </div>
        </li>
      </ol>
    </Empty>
  )
}
