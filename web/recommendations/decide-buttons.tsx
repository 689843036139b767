import { useMutation } from '@tanstack/react-query'
import { Icon } from '../parts/icon.tsx'
import { saveFile } from '../parts/save-file.ts'
import { Trouble } from '../parts/states.tsx'
import { mayBecome } from './may-become.ts'
import { type Decision, hasPatch, patchFiles, type Recommendation } from './queries.ts'
import type { Decisions } from './use-decisions.tsx'

/** The decisions that would change something about these recommendations, and their patch. */
export function DecideButtons({
  chosen,
  decisions,
}: {
  chosen: readonly Recommendation[]
  decisions: Decisions
}) {
  const save = useMutation({
    mutationFn: async () => {
      for (const { name, text } of await patchFiles(chosen)) saveFile(name, text, 'application/yaml')
    },
  })
  const button = (state: Decision['state'], label: string, onClick: () => void) =>
    chosen.some((recommendation) => mayBecome(recommendation, state)) && (
      <button
        type="button"
        className={state === 'accepted' ? 'button primary' : 'button'}
        disabled={!decisions.isReady}
        onClick={onClick}
      >
        {label}
      </button>
    )
  return (
    <>
      {button('accepted', chosen.length > 1 ? 'Accept…' : 'Accept', () => decisions.accept(chosen))}
      {button('dismissed', 'Dismiss…', () => decisions.ask('dismissed', chosen))}
      {button('snoozed', 'Snooze…', () => decisions.ask('snoozed', chosen))}
      {button('open', 'Reopen', () => decisions.reopen(chosen))}
      {chosen.some(hasPatch) && (
        <button type="button" className="button" disabled={save.isPending} onClick={() => save.mutate()}>
          <Icon name="download" size={16} /> {chosen.length > 1 ? 'Patches' : 'Patch'}
        </button>
      )}
      {!decisions.mayDecide && (
        <p className="note">Changing recommendations needs a key with the scope gateway:write.</p>
      )}
      {save.error !== null && <Trouble error={save.error} />}
    </>
  )
}
