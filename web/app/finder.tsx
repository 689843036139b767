import { useState } from 'react'
import { type KeyRecord, session } from '../api/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Combobox } from '../parts/inputs/combobox.tsx'
import { useSettled } from '../parts/use-settled.ts'
import { go } from '../state/router.ts'
import { useSignal } from '../state/signal.ts'
import { type Found, useFound } from './find.ts'

const settleMs = 150

/** Finds anything with a name by a part of it. */
export default function Finder({ onClose }: { onClose: () => void }) {
  const record = useSignal(session.state).record as KeyRecord
  const [text, setText] = useState('')
  const { found, isLoading } = useFound(text, useSettled(text, settleMs), record)
  const choose = ({ address }: Found) => {
    onClose()
    go(address)
    scrollTo(0, 0)
  }
  return (
    <Dialog title="Find" onClose={onClose}>
      <div className="dialog-form finder">
        <Combobox
          label="Anything with a name: a page, setting, workload, container, machine, type, term"
          text={text}
          onText={setText}
          options={found}
          optionId={({ address }) => address}
          show={({ kind, name, note }) => (
            <span className="found">
              <span>{name}</span>
              <span className="note">
                {kind}
                {note !== undefined && ` · ${note}`}
              </span>
            </span>
          )}
          onChoose={choose}
          note={isLoading ? 'Searching…' : 'No match. Containers of the last day are searched.'}
          isAlwaysOpen
        />
      </div>
    </Dialog>
  )
}
