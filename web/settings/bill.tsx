import { useMutation, useQueryClient } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { demo } from '../api/demo.ts'
import type { paths } from '../api/schema.ts'
import { count, money, percent } from '../parts/figures.ts'
import { saveFile } from '../parts/save-file.ts'
import { Notice, Trouble } from '../parts/states.tsx'
import { useSignal } from '../state/signal.ts'
import { keepBill } from '../usage/loaded-bill.ts'
import { demoBill } from './demo-bill.ts'
import { priceRules, priceRuleText, putPriceRules } from './price-rules.tsx'

type Learned = paths['/v1/bills']['post']['responses'][200]['content']['application/json']

/** Proposes price rules and commitments from a bill. What they would change is shown before they are set. */
export function BillUpload({ mayChange }: { mayChange: boolean }) {
  const queries = useQueryClient()
  const isDemo = useSignal(demo.key) !== undefined
  const learn = useMutation({ mutationFn: (file: File) => learnFrom(file, mayChange) })
  const saveBill = useMutation({
    mutationFn: async () => saveFile('demo-bill.csv', await demoBill(), 'text/csv'),
  })
  const accept = useMutation({
    mutationFn: acceptAll,
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <section className="card setting" aria-labelledby="bill-title" id="bill">
      <h2 id="bill-title">Learn from a bill</h2>
      <p className="note">
        FOCUS 1.0 to 1.4 or AWS CUR 2.0, as CSV, CSV with gzip, or Parquet. It is compared with your prices
        line by line, and not kept; this browser remembers its sums and shows them beside costs.
      </p>
      <label className="field">
        <span className="field-label">Bill</span>
        <input
          type="file"
          disabled={learn.isPending}
          onChange={(event) => {
            const file = event.target.files?.[0]
            accept.reset()
            if (file !== undefined) learn.mutate(file)
          }}
        />
      </label>
      {isDemo && (
        <div className="rule-buttons">
          <button
            type="button"
            className="button"
            disabled={saveBill.isPending}
            onClick={() => saveBill.mutate()}
          >
            Download a bill of the demo
          </button>
        </div>
      )}
      {saveBill.error !== null && <Trouble error={saveBill.error} />}
      {learn.isPending && <p role="status">Reading the bill…</p>}
      {learn.error !== null && <Trouble error={learn.error} />}
      {learn.data !== undefined && (
        <>
          <Proposal of={learn.data.learned} />
          {learn.data.effect !== undefined && priceRules.showEffect(learn.data.effect)}
          {accept.error !== null && <Trouble error={accept.error} />}
          {accept.isSuccess ? (
            <Notice tone="good" title="They are set.">
              All prices of your organisation follow within seconds.
            </Notice>
          ) : (
            hasProposal(learn.data.learned) &&
            (mayChange ? (
              <button
                type="button"
                className="button primary"
                disabled={accept.isPending}
                onClick={() => accept.mutate(learn.data)}
              >
                Set them
              </button>
            ) : (
              <p className="note">A key with the scope marketplace:write can set them.</p>
            ))
          )}
        </>
      )}
    </section>
  )
}

const hasProposal = ({ rules, commitments }: Learned): boolean => rules.length + commitments.length > 0

function Proposal({ of }: { of: Learned }) {
  return (
    <>
      <p>
        {count(of.lines)} lines. Machines on demand cost {money(of.on_demand.billed)}; by your prices now{' '}
        {money(of.on_demand.now)}, with what is proposed {money(of.on_demand.proposed)}.{' '}
        <b>{percent(of.explained_percent)}</b> of what machines cost is then explained, now{' '}
        {percent(of.explained_percent_now)}.
      </p>
      {hasProposal(of) ? (
        <ul>
          {of.rules.map((rule) => (
            <li key={rule.name}>{priceRuleText(rule)}</li>
          ))}
          {of.commitments.map((one) => (
            <li key={one.name}>
              {one.usd_per_hour === undefined
                ? `${one.instances} × ${one.instance_type}`
                : `${money(one.usd_per_hour)} an hour`}
              , {one.name}, until {one.until}
            </li>
          ))}
        </ul>
      ) : (
        <p>There is nothing to propose.</p>
      )}
    </>
  )
}

async function learnFrom(file: File, mayChange: boolean) {
  // The document of the API does not describe bodies that are files.
  const body = { body: file, bodySerializer: (of: File) => of } as object
  const headers = { 'content-type': 'application/octet-stream' }
  const learned = await answer(service.POST('/v1/bills', { ...body, headers }))
  keepBill({
    from: learned.from.slice(0, 10),
    to: learned.until.slice(0, 10),
    billedUsd: learned.classes.reduce((sum, { cost }) => sum + cost, 0),
    machinesBilledUsd: learned.on_demand.billed,
    machinesPricedUsd: learned.on_demand.now,
  })
  const set = await priceRules.load(new AbortController().signal)
  const effect =
    learned.rules.length === 0 || !mayChange
      ? undefined
      : await priceRules.preview([...set.rules, ...learned.rules])
  return { learned, set, effect }
}

/** Fails rather than overwrite what somebody else has set in the meantime. */
async function acceptAll({ learned, set }: Awaited<ReturnType<typeof learnFrom>>) {
  if (learned.rules.length > 0)
    await putPriceRules([...set.rules, ...learned.rules], { dry_run: false }, set.etag)
  if (learned.commitments.length === 0) return
  const { commitments, etag } = await answer(service.GET('/v1/commitments'))
  const names = new Set(learned.commitments.map(({ name }) => name))
  const kept = commitments.filter(({ name }) => !names.has(name))
  await answer(
    service.PUT('/v1/commitments', {
      params: { query: { dry_run: false } },
      headers: { 'if-match': etag },
      body: { commitments: [...kept, ...learned.commitments] },
    }),
  )
}
