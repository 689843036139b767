import { useMutation } from '@tanstack/react-query'
import { session } from '../api/session.ts'
import { leastSure } from '../namespaces/attention.tsx'
import { counted, money, share } from '../parts/figures.ts'
import { Icon } from '../parts/icon.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Trouble } from '../parts/states.tsx'
import { useSignal } from '../state/signal.ts'
import type { AskedDecision } from './decide-dialog.tsx'
import { type Advice, hasPatch, type OnDecided, patchFiles, useDecide } from './queries.ts'

/** Actions on the selected recommendations. */
export function SelectionBar({
  chosen,
  onAsk,
  onDecided,
  onClear,
}: {
  chosen: readonly Advice[]
  /** Asks for the reason of a decision. */
  onAsk: (state: AskedDecision) => void
  onDecided: OnDecided
  onClear: () => void
}) {
  const decide = useDecide(onDecided)
  const mayDecide = useSignal(session.state).record?.scopes.includes('gateway:write') ?? false
  // Savings of containers are shares of the same nodes, so clusters are not added to them.
  const others = chosen.filter(({ kind }) => kind !== 'cluster')
  const added = others.length === 0 ? chosen : others
  const worth = added.reduce((sum, each) => sum + each.worth_per_month, 0)
  const unsure = chosen.filter(({ confidence }) => confidence < leastSure).length
  const save = useMutation({
    mutationFn: async () => {
      for (const { name, text } of await patchFiles(chosen)) saveFile(name, text, 'application/yaml')
    },
  })
  const button = (label: string, onClick: () => void) => (
    <button type="button" className="button" disabled={!mayDecide || decide.isPending} onClick={onClick}>
      {label}
    </button>
  )
  return (
    <section className="selection-bar" aria-label="Selected recommendations">
      <b aria-live="polite">
        {counted(chosen.length, 'recommendation')}, {money(worth)} per month
      </b>
      <span className="spring" />
      {button('Accept', () => decide.mutate({ chosen, decision: { state: 'accepted' } }))}
      {button('Dismiss…', () => onAsk('dismissed'))}
      {button('Snooze…', () => onAsk('snoozed'))}
      {chosen.some(({ state }) => state !== 'open') &&
        button('Reopen', () => decide.mutate({ chosen, decision: { state: 'open' } }))}
      <button
        type="button"
        className="button"
        disabled={save.isPending || !chosen.some(hasPatch)}
        onClick={() => save.mutate()}
      >
        <Icon name="download" size={16} /> Patches
      </button>
      <button type="button" className="button plain" onClick={onClear}>
        <Icon name="close" size={16} /> Clear
      </button>
      {unsure > 0 && (
        <p className="note">
          {unsure === chosen.length ? '' : `${unsure} of `}
          {counted(chosen.length, 'recommendation')} with less than {share(leastSure)} confidence: too little
          history to rely on.
        </p>
      )}
      {!mayDecide && (
        <p className="note">Changing recommendations needs a key with the scope gateway:write.</p>
      )}
      {decide.error !== null && <Trouble error={decide.error} />}
      {save.error !== null && <Trouble error={save.error} />}
    </section>
  )
}
