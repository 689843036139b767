import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callService } from '../api/call-service.ts'
import { CopyText } from '../parts/copy.tsx'
import { Icon } from '../parts/icon.tsx'
import { Select } from '../parts/inputs/inputs.tsx'
import { Notice, Skeleton, Trouble } from '../parts/states.tsx'
import { setParams, usePlace } from '../state/router.ts'
import { type ApiOperation, addressOfCall, headersOfCall, operationsOf } from './operations.ts'

const maxShownChars = 20_000

/** Calls the API with the user's session. */
export function TryIt() {
  const isOpen = usePlace().params.has('call')
  const asked = useQuery({
    queryKey: ['openapi'],
    queryFn: async ({ signal }) =>
      operationsOf(JSON.parse((await callService('GET', '/openapi.json', undefined, {}, signal)).text)),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isOpen,
  })
  return (
    <section className="card try" aria-labelledby="api-title">
      <div className="card-head">
        <h2 id="api-title">The API</h2>
        <a className="button" href="/docs">
          <Icon name="document" size={16} /> Reference
        </a>
      </div>
      {!isOpen && (
        <>
          <p className="note">
            The API returns everything that the console shows. Requests are sent with your own permissions and
            change real data.
          </p>
          <button
            type="button"
            className="button primary"
            onClick={() => setParams({ call: 'GET /v1/providers' }, 'push')}
          >
            Try it
          </button>
        </>
      )}
      {isOpen && asked.isPending && <Skeleton lines={5} label="Loading the API" />}
      {asked.error !== null && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {isOpen && asked.data !== undefined && <Calls operations={asked.data} />}
    </section>
  )
}

function Calls({ operations }: { operations: readonly ApiOperation[] }) {
  const given = usePlace().params.get('call')
  const names = operations.map(({ method, path }) => `${method} ${path}`)
  const chosen = Math.max(0, names.indexOf(given ?? ''))
  return (
    <>
      <Select
        label="Operation"
        value={names[chosen] ?? ''}
        options={operations.map(({ summary }, i) => [names[i]!, `${names[i]} – ${summary}`])}
        onChange={(to) => setParams({ call: to }, 'push')}
      />
      <CallForm key={names[chosen]} operation={operations[chosen]!} />
    </>
  )
}

function CallForm({ operation }: { operation: ApiOperation }) {
  const [values, setValues] = useState<Record<string, string>>({})
  const [body, setBody] = useState('{}')
  const address = addressOfCall(operation, values)
  const call = useMutation({
    mutationFn: () =>
      callService(
        operation.method,
        address!,
        operation.takesBody ? body : undefined,
        headersOfCall(operation, values),
      ),
    gcTime: 0,
  })
  return (
    <form
      className="try"
      aria-label="Request"
      onSubmit={(event) => {
        event.preventDefault()
        if (address !== undefined) call.mutate()
      }}
    >
      {operation.description !== '' && <p className="note">{operation.description}</p>}
      {operation.scope !== undefined && operation.scope !== 'any' && (
        <p className="note">Needs the scope {operation.scope}.</p>
      )}
      {operation.parameters.length > 0 && (
        <div className="fields">
          {operation.parameters.map(({ name, description, required, schema }) => (
            <label key={name} className="field" title={description}>
              <span className="field-label">
                {name}{' '}
                {required === true && schema.default === undefined && <span className="note">required</span>}
              </span>
              <input
                type="text"
                placeholder={schema.enum === undefined ? schema.type : schema.enum.join(', ')}
                value={values[name] ?? ''}
                onChange={(event) => setValues({ ...values, [name]: event.target.value })}
              />
            </label>
          ))}
        </div>
      )}
      {operation.takesBody && (
        <label className="field">
          <span className="field-label">Body, JSON</span>
          <textarea value={body} spellCheck={false} onChange={(event) => setBody(event.target.value)} />
        </label>
      )}
      {operation.method !== 'GET' && (
        <Notice tone="warning">This may change data of your organisation.</Notice>
      )}
      <button type="submit" className="button primary" disabled={address === undefined || call.isPending}>
        {call.isPending ? 'Sending…' : `Send ${operation.method}`}
      </button>
      {call.error !== null && <Trouble error={call.error} />}
      {call.data !== undefined && (
        <div aria-live="polite" className="try">
          <p>
            Status <b>{call.data.status}</b>
          </p>
          <CopyText text={pretty(call.data.text)} />
        </div>
      )}
    </form>
  )
}

function pretty(text: string): string {
  let shown = text
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // The response is not JSON and is shown as it is.
  }
  return shown.length > maxShownChars
    ? `${shown.slice(0, maxShownChars)}\n… ${shown.length} characters`
    : shown
}
