import { type FormEvent, useState } from 'react'
import { Dialog, DialogFoot } from '../parts/dialog.tsx'
import { counted } from '../parts/figures.ts'
import { Trouble } from '../parts/states.tsx'
import { type Advice, type Decision, type OnDecided, useDecide } from './queries.ts'

export type AskedDecision = 'dismissed' | 'snoozed'

const titles = { dismissed: 'Dismiss', snoozed: 'Snooze' } as const
const dayMs = 86_400_000

/** Asks for a reason and a duration. The reason is stored with the recommendations. */
export function DecideDialog({
  state,
  chosen,
  onDecided,
  onClose,
}: {
  state: AskedDecision
  chosen: readonly Advice[]
  onDecided: OnDecided
  onClose: () => void
}) {
  const decide = useDecide(onDecided)
  const [reason, setReason] = useState('')
  const [until, setUntil] = useState(() => dayAfter(30))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const decision: Decision = {
      state,
      // The service accepts no line breaks.
      reason: reason.trim().replaceAll(/\s+/g, ' '),
      ...(state === 'snoozed' ? { until: `${until}T00:00:00Z` } : {}),
    }
    decide.mutate({ chosen, decision })
  }
  return (
    <Dialog title={`${titles[state]} ${counted(chosen.length, 'recommendation')}`} onClose={onClose}>
      <form className="dialog-form" onSubmit={submit}>
        <label className="field">
          <span className="field-label">Reason</span>
          <textarea
            rows={3}
            maxLength={1000}
            required
            value={reason}
            placeholder={state === 'snoozed' ? 'Wait for the new release' : 'Sized for a failover'}
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
            disabled={decide.isPending || reason.trim() === ''}
          >
            {titles[state]}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

const dayAfter = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
