import { type FormEvent, useState } from 'react'
import { Dialog, DialogFoot } from '../parts/dialog.tsx'
import { count, counted, money } from '../parts/figures.ts'
import { Trouble } from '../parts/states.tsx'
import { type Decision, type OnDecided, type Recommendation, useDecide } from './queries.ts'
import { placeOf, shortTitle } from './words.ts'

export type AskedDecision = 'accepted' | 'dismissed' | 'snoozed'

const titles = { accepted: 'Accept', dismissed: 'Dismiss', snoozed: 'Snooze' } as const
const examples = {
  accepted: 'Optional: the ticket or the change',
  dismissed: 'Sized for a failover',
  snoozed: 'Wait for the new release',
} as const
const dayMs = 86_400_000

interface Props {
  readonly state: AskedDecision
  readonly chosen: readonly Recommendation[]
  readonly onDecided: OnDecided
  readonly onClose: () => void
}

/** Asks for a reason and a duration, after a preview of several recommendations. The reason is stored with them. */
export function DecideDialog({ state, chosen, onDecided, onClose }: Props) {
  const decide = useDecide(onDecided)
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState(() => dayAfter(30))
  const isRequired = state !== 'accepted'
  // The service accepts no line breaks.
  const text = reason.trim().replaceAll(/\s+/g, ' ')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const decision: Decision = {
      state,
      ...(text === '' ? {} : { reason: text }),
      ...(state === 'snoozed' ? { until: `${until}T00:00:00Z` } : {}),
    }
    decide.mutate([{ chosen, decision }])
  }
  return (
    <Dialog title={`${titles[state]} ${counted(chosen.length, 'recommendation')}`} onClose={onClose}>
      <form className="dialog-form" onSubmit={submit}>
        <Preview of={chosen} />
        <label className="field">
          <span className="field-label">Reason</span>
          <textarea
            rows={2}
            maxLength={1000}
            required={isRequired}
            value={reason}
            placeholder={examples[state]}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        {state === 'snoozed' && (
          <label className="field">
            <span className="field-label">Show it again on</span>
            <input
              type="date"
              required
              min={dayAfter(1)}
              max={dayAfter(365)}
              value={until}
              onChange={(event) => setUntil(event.target.value)}
            />
          </label>
        )}
        {decide.error !== null && <Trouble error={decide.error} />}
        <DialogFoot onClose={onClose}>
          <button
            type="submit"
            className="button primary"
            disabled={decide.isPending || (isRequired && text === '')}
          >
            {titles[state]}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

const fewShown = 8

/** Lists what is decided on, with its sum, and how many of it are risky or cost more. */
function Preview({ of }: { of: readonly Recommendation[] }) {
  const sum = (rows: readonly Recommendation[]) => rows.reduce((total, row) => total + row.worth_per_month, 0)
  const saving = of.filter(({ worth_per_month }) => worth_per_month >= 0)
  const raises = of.filter(({ worth_per_month }) => worth_per_month < 0)
  const risky = of.filter(({ risk }) => risk === 'high').length
  const said = [
    ...(saving.length > 0 ? [`saves ${money(sum(saving))} per month`] : []),
    ...(raises.length > 0 ? [`${count(raises.length)} cost ${money(-sum(raises))} more per month`] : []),
    ...(risky > 0 ? [`${count(risky)} with high risk`] : []),
  ]
  return (
    <div className="decide-preview">
      <ul className="plain-list">
        {of.slice(0, fewShown).map((recommendation) => (
          <li key={recommendation.id}>
            <span>
              {shortTitle(recommendation)} <span className="note">{placeOf(recommendation)}</span>
            </span>
            <b className={recommendation.worth_per_month < 0 ? 'bad' : 'good'}>
              {money(recommendation.worth_per_month)}
            </b>
          </li>
        ))}
        {of.length > fewShown && <li className="note">and {count(of.length - fewShown)} more</li>}
      </ul>
      {of.length === 1 && risky > 0 && <p className="note bad">High risk: read the reasons first.</p>}
      {of.length > 1 && <p className="note">Together: {said.join(', ')}.</p>}
    </div>
  )
}

const dayAfter = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
