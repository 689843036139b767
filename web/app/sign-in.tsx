import { type FormEvent, useState } from 'react'
import { explain, Refused } from '../api/problem.ts'
import { CopyText } from '../parts/copy.tsx'
import { Icon } from '../parts/icon.tsx'
import { Notice } from '../parts/states.tsx'
import { Mark } from './mark.tsx'
import { session } from './session.ts'
import { askForKey } from './sign-in-request.ts'
import { useSignal } from './signal.ts'

export function SignIn() {
  const { ended } = useSignal(session.state)
  const [key, setKey] = useState('')
  const [remember, setRemember] = useState(false)
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string>()

  const signIn = async (event: FormEvent) => {
    event.preventDefault()
    const given = key.trim()
    setBusy(true)
    setWrong(undefined)
    try {
      session.begin(given, await askForKey(given), remember)
    } catch (error) {
      const refused = error instanceof Refused && error.status === 401
      setWrong(refused ? 'This key is invalid, expired or revoked.' : explain(error).text)
    } finally {
      setBusy(false)
    }
  }

  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <div className="brand brand-large">
          <Mark size={40} />
          <span>Cheapside</span>
        </div>
        <p className="lead">Find cheaper machines and the right size for your workloads.</p>
        {ended === 'refused' && (
          <Notice tone="warning" title="Your session has ended">
            The key you used is no longer accepted. Sign in with another key to continue.
          </Notice>
        )}
        <form onSubmit={signIn} aria-label="Sign in">
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
          <label className="check">
            <input
              type="checkbox"
              checked={remember}
              onChange={(event) => setRemember(event.target.checked)}
            />
            <span>Remember until this tab is closed</span>
          </label>
          <button className="button primary wide" type="submit" disabled={busy}>
            {busy ? 'Signing in…' : 'Sign in'}
          </button>
          <p className="note" id="key-note">
            The key stays in the memory of this tab. It is never part of a URL or a log.
          </p>
        </form>
        <details className="sign-in-help">
          <summary>
            <Icon name="info" size={16} /> Where do I get a key?
          </summary>
          <p>The first start of the service prints one. The operator of the service issues more:</p>
          <CopyText text="cheapside keys issue --organisation my-team --name console" />
        </details>
      </div>
    </main>
  )
}
