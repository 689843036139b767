import { useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { Popover } from '../parts/inputs/popover.tsx'
import { saveFile } from '../parts/save-file.ts'
import { type CostsQuery, costsCsv } from './queries.ts'

const files = [
  { name: 'CSV over time', note: 'every group in every step', file: 'cheapside-costs-over-time.csv' },
  { name: 'FOCUS 1.3', note: 'rows for cost management tools', file: 'cheapside-focus.csv', format: 'focus' },
] as const

/** Downloads the costs as the service writes them. */
export function Exports({ query, days }: { query: CostsQuery; days: number }) {
  const [state, setState] = useState<'busy' | 'failed'>()
  const close = useRef(() => {})
  const save = async (file: (typeof files)[number]) => {
    setState('busy')
    try {
      const text = await costsCsv(query, days, 'format' in file ? file.format : undefined)
      saveFile(file.file, text, 'text/csv')
      setState(undefined)
      close.current()
    } catch {
      setState('failed')
    }
  }
  return (
    <Popover
      label="Export"
      side="right"
      closer={close}
      said={
        <>
          <Icon name="download" size={16} /> Export
        </>
      }
    >
      <div className="cost-exports">
        {files.map((file) => (
          <button
            key={file.name}
            type="button"
            className="button plain"
            disabled={state === 'busy'}
            onClick={() => void save(file)}
          >
            {file.name} <span className="note">{file.note}</span>
          </button>
        ))}
      </div>
      <p className="note" aria-live="polite">
        {state === 'failed' ? 'The file could not be loaded; try again.' : ''}
      </p>
    </Popover>
  )
}
