import { type ReactNode, useState } from 'react'
import { session } from '../api/session.ts'
import { counted } from '../parts/figures.ts'
import { Notice, Trouble } from '../parts/states.tsx'
import { useSignal } from '../state/signal.ts'
import { type AskedDecision, DecideDialog } from './decide-dialog.tsx'
import { DecidedNotice } from './decided-notice.tsx'
import { mayBecome } from './may-become.ts'
import { type Decided, type OnDecided, type Recommendation, useDecide } from './queries.ts'
import { decisionWords, placeOf } from './words.ts'

export interface Decisions {
  /** Whether the key may decide, and no decision is being sent. */
  readonly isReady: boolean
  readonly mayDecide: boolean
  /** One recommendation is accepted at once, since that can be undone; several after a preview. */
  accept(chosen: readonly Recommendation[]): void
  /** Asks for the reason first. */
  ask(state: AskedDecision, chosen: readonly Recommendation[]): void
  reopen(chosen: readonly Recommendation[]): void
  undo(): void
  /** The dialogue, the confirmation with undo, and errors. */
  readonly shown: ReactNode
}

/** Decides on recommendations, with confirmation and undo, after which `onUndone` gets the first of them. */
export function useDecisions(onDecided?: OnDecided, onUndone?: (id: string) => void): Decisions {
  const mayDecide = useSignal(session.state).record?.scopes.includes('gateway:write') ?? false
  const [asking, setAsking] = useState<{ state: AskedDecision; chosen: readonly Recommendation[] }>()
  const [last, setLast] = useState<Decided>()
  const done: OnDecided = (decided) => {
    setAsking(undefined)
    setLast(decided)
    onDecided?.(decided)
  }
  const decide = useDecide(done)
  const undo = useDecide(({ changedMeanwhile, unknown }) => {
    const [first] = last!.before
    if (first !== undefined) onUndone?.(first.id)
    setLast(
      changedMeanwhile.length + unknown.length === 0
        ? undefined
        : { ...last!, before: [], changedMeanwhile, unknown },
    )
  })
  const isReady = mayDecide && !decide.isPending && !undo.isPending
  const send = (state: 'accepted' | 'open', all: readonly Recommendation[]) => {
    const chosen = all.filter((recommendation) => mayBecome(recommendation, state))
    if (isReady && chosen.length > 0) decide.mutate([{ chosen, decision: { state } }])
  }
  const ask = (state: AskedDecision, all: readonly Recommendation[]) => {
    const chosen = all.filter((recommendation) => mayBecome(recommendation, state))
    if (isReady && chosen.length > 0) setAsking({ state, chosen })
  }
  const takeBack = () => {
    if (isReady && last !== undefined && last.undo.length > 0) undo.mutate(last.undo)
  }
  return {
    isReady,
    mayDecide,
    accept: (chosen) => (chosen.length > 1 ? ask('accepted', chosen) : send('accepted', chosen)),
    ask,
    reopen: (chosen) => send('open', chosen),
    undo: takeBack,
    shown: (
      <>
        {asking !== undefined && (
          <DecideDialog {...asking} onDecided={done} onClose={() => setAsking(undefined)} />
        )}
        {decide.error !== null && <Trouble error={decide.error} />}
        {undo.error !== null && <Trouble error={undo.error} />}
        {last !== undefined && last.changedMeanwhile.length > 0 && (
          <NotChanged
            of={last.changedMeanwhile}
            why="because others have decided meanwhile"
            say={(recommendation) => `: ${decisionWords(recommendation)}`}
            onClose={() => setLast(undefined)}
          />
        )}
        {last !== undefined && last.unknown.length > 0 && (
          <NotChanged
            of={last.unknown}
            why="because no list has had them for a long time"
            onClose={() => setLast(undefined)}
          />
        )}
        {last !== undefined && last.before.length > 0 && (
          <DecidedNotice
            of={last}
            isUndoing={undo.isPending}
            onUndo={takeBack}
            onClose={() => setLast(undefined)}
          />
        )}
      </>
    ),
  }
}

const fewChanged = 10

interface NotChangedProps {
  readonly of: readonly Recommendation[]
  readonly why: string
  readonly say?: (recommendation: Recommendation) => string
  readonly onClose: () => void
}

/** Reports what was not decided, and why. */
function NotChanged({ of, why, say = () => '', onClose }: NotChangedProps) {
  return (
    <Notice tone="danger" title={`${counted(of.length, 'recommendation')} not changed, ${why}`}>
      <ul className="plain-list">
        {of.slice(0, fewChanged).map((recommendation) => (
          <li key={recommendation.id}>
            {recommendation.title} ({placeOf(recommendation)}){say(recommendation)}
          </li>
        ))}
        {of.length > fewChanged && <li>{of.length - fewChanged} more</li>}
      </ul>
      <button type="button" className="button" onClick={onClose}>
        Close
      </button>
    </Notice>
  )
}
