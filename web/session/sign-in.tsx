import { type FormEvent, useState } from 'react'
import { explain, Refused } from '../api/problem.ts'
import { session } from '../api/session.ts'
import { CopyText } from '../parts/copy.tsx'
import { Icon } from '../parts/icon.tsx'
import { Mark } from '../parts/mark.tsx'
import { Notice } from '../parts/states.tsx'
import { useSignal } from '../state/signal.ts'
import { signIn } from './session-requests.ts'

export function SignIn() {
  const { ended } = useSignal(session.state)
  const [key, setKey] = useState('')
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string>()

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setWrong(undefined)
    try {
      await signIn(key.trim())
    } catch (error) {
      setWrong(refusalWords(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <h1 className="brand brand-large">
          <Mark size={40} />
          <span>Cheapside</span>
        </h1>
        <p className="lead">Find cheaper machines and the right size for your workloads.</p>
        {ended === 'refused' && (
          <Notice tone="warning" title="Your session has ended">
            Sign in again to continue where you were.
          </Notice>
        )}
        <form onSubmit={submit} aria-label="Sign in">
          <label className="field">
            <span className="field-label">API key</span>
            <input
              type="password"
              value={key}
              onChange={(event) => setKey(event.target.value)}
              placeholder="csk_…"
              autoComplete="off"
              spellCheck={false}
              aria-describedby={wrong === undefined ? 'key-note' : 'key-wrong'}
              aria-invalid={wrong !== undefined}
              required
            />
          </label>
          {wrong !== undefined && (
            <p className="field-wrong" id="key-wrong" role="alert">
              {wrong}
            </p>
          )}
          <button className="button primary wide" type="submit" disabled={busy}>
            {busy ? 'Signing in…' : 'Sign in'}
          </button>
          <p className="note" id="key-note">
            The key is exchanged for a session of this browser and is not stored. New tabs stay signed in.
          </p>
        </form>
        <details className="sign-in-help">
          <summary>
            <Icon name="info" size={16} /> Where do I get a key?
          </summary>
          <p>The first start of the service prints one. The operator of the service issues more:</p>
          <CopyText
            wrapped
            text="cheapside keys issue --organisation my-team --name console --scope pricing:read --scope gateway:read"
          />
        </details>
      </div>
    </main>
  )
}

function refusalWords(error: unknown): string {
  if (!(error instanceof Refused) || error.status !== 401) return explain(error).text
  return error.problem.code === 'key-expired'
    ? `${error.message} Ask an administrator of the service for a new one.`
    : 'The key is not valid: it is mistyped, unknown or revoked.'
}
