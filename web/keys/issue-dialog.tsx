import { type FormEvent, useState } from 'react'
import { answer, service } from '../api/client.ts'
import { type Scope, session } from '../api/session.ts'
import { Dialog, DialogFoot } from '../parts/dialog.tsx'
import { Segmented, Select, TextField } from '../parts/inputs/inputs.tsx'
import { Trouble } from '../parts/states.tsx'
import { useSignal } from '../state/signal.ts'
import { useKeyChange } from './use-key-change.ts'

const scopes: readonly (readonly [Scope, string])[] = [
  ['pricing:read', 'compare prices, see the catalogue and the marketplace'],
  ['marketplace:write', 'register and remove your own prices'],
  ['gateway:read', 'see namespaces and machines'],
  ['gateway:write', 'accept, dismiss and snooze recommendations; save reviews'],
  ['usage:write', 'send usage, for agents and collectors'],
  ['admin', 'manage the keys of every organisation'],
]

const reading: readonly Scope[] = ['pricing:read', 'gateway:read']
const accesses: readonly (readonly [string, string, readonly Scope[]])[] = [
  ['read', 'Read only', reading],
  ['decide', 'Read and decide', [...reading, 'gateway:write']],
  ['send', 'Send usage', ['usage:write']],
]

const isSame = (one: readonly Scope[], other: readonly Scope[]): boolean =>
  one.length === other.length && one.every((scope) => other.includes(scope))

const another = ''

interface Props {
  /** Those that have a key already. */
  readonly organisations: readonly string[]
  readonly onDone: (secret: string) => void
  readonly onClose: () => void
}

export function IssueDialog({ organisations, onDone, onClose }: Props) {
  const own = useSignal(session.state).record?.organisation ?? ''
  const [organisation, setOrganisation] = useState(own)
  const [isNew, setNew] = useState(false)
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<Scope[]>([...reading])
  const [until, setUntil] = useState('')
  const issue = useKeyChange(
    () =>
      answer(
        service.POST('/admin/keys', {
          body: {
            organisation,
            name,
            scopes: chosen,
            ...(until === '' ? {} : { expires_at: `${until}T00:00:00Z` }),
          },
        }),
      ),
    ({ key }) => onDone(key),
  )
  const send = (event: FormEvent) => {
    event.preventDefault()
    issue.mutate()
  }
  const toggle = (scope: Scope) =>
    setChosen(chosen.includes(scope) ? chosen.filter((each) => each !== scope) : [...chosen, scope])

  return (
    <Dialog title="Issue a key" onClose={onClose}>
      <form className="dialog-form" onSubmit={send}>
        <div className="fields two">
          {isNew ? (
            <TextField
              label="New organisation"
              required
              placeholder="my-team"
              value={organisation}
              onChange={setOrganisation}
            />
          ) : (
            <Select
              label="Organisation"
              value={organisation}
              options={[
                ...[...new Set([own, ...organisations])].map((each) => [each, each] as const),
                [another, 'A new organisation…'] as const,
              ]}
              onChange={(to) => {
                setNew(to === another)
                setOrganisation(to)
              }}
            />
          )}
          <TextField label="Name" required placeholder="dashboard" value={name} onChange={setName} />
        </div>
        <Segmented
          label="What it may do"
          name="access"
          options={accesses.map(([id, label]) => [id, label] as const)}
          value={accesses.find(([, , of]) => isSame(of, chosen))?.[0] ?? ''}
          onChange={(id) => setChosen([...accesses.find(([each]) => each === id)![2]])}
        />
        <fieldset className="choices">
          <legend className="field-label">Scopes</legend>
          {scopes.map(([scope, text]) => (
            <label key={scope} className="check">
              <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
              <span>
                <b>{scope}</b> <span className="note">{text}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <label className="field">
          <span className="field-label">
            Expires on <span className="note">empty: never</span>
          </span>
          <input type="date" value={until} onChange={(event) => setUntil(event.target.value)} />
        </label>
        {issue.error !== null && <Trouble error={issue.error} />}
        <DialogFoot onClose={onClose}>
          <button className="button primary" type="submit" disabled={issue.isPending || chosen.length === 0}>
            {issue.isPending ? 'Issuing…' : 'Issue the key'}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
