import { type FormEvent, useState } from 'react'
import { answer, service } from '../api/client.ts'
import type { Scope } from '../api/session.ts'
import { Dialog, DialogFoot } from '../parts/dialog.tsx'
import { TextField } from '../parts/inputs/inputs.tsx'
import { Trouble } from '../parts/states.tsx'
import { useKeyChange } from './use-key-change.ts'

const scopes: readonly (readonly [Scope, string])[] = [
  ['pricing:read', 'compare prices, see the catalogue and the marketplace'],
  ['marketplace:write', 'register and remove your own prices'],
  ['gateway:read', 'see namespaces and machines'],
  ['gateway:write', 'accept, dismiss and snooze recommendations'],
  ['usage:write', 'send usage, for agents and collectors'],
  ['admin', 'manage the keys of every organisation'],
]

interface Props {
  readonly onDone: (secret: string) => void
  readonly onClose: () => void
}

export function IssueDialog({ onDone, onClose }: Props) {
  const [organisation, setOrganisation] = useState('')
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<Scope[]>(['pricing:read', 'gateway:read'])
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
          <TextField
            label="Organisation"
            required
            placeholder="my-team"
            value={organisation}
            onChange={setOrganisation}
          />
          <TextField label="Purpose" required placeholder="dashboard" value={name} onChange={setName} />
        </div>
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
