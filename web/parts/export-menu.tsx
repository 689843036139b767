import { useRef, useState } from 'react'
import { Icon } from './icon.tsx'
import { Popover } from './inputs/popover.tsx'
import { saveFile } from './save-file.ts'

export interface ExportFile {
  readonly name: string
  readonly note?: string
  readonly file: string
  readonly type: string
  load(): Promise<string>
}

/** Downloads one of several files as the service writes them. */
export function ExportMenu({ files }: { files: readonly ExportFile[] }) {
  const [state, setState] = useState<{ busy: true } | { failed: string }>()
  const close = useRef(() => {})
  const save = async ({ file, type, load }: ExportFile) => {
    setState({ busy: true })
    try {
      saveFile(file, await load(), type)
      setState(undefined)
      close.current()
    } catch (error) {
      setState({ failed: error instanceof Error ? error.message : '' })
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
      <div className="export-menu">
        {files.map((file) => (
          <button
            key={file.name}
            type="button"
            className="button plain"
            disabled={state !== undefined && 'busy' in state}
            onClick={() => void save(file)}
          >
            {file.name} {file.note !== undefined && <span className="note">{file.note}</span>}
          </button>
        ))}
      </div>
      <p className="note" aria-live="polite">
        {state !== undefined && 'failed' in state && `The file could not be loaded. ${state.failed}`}
      </p>
    </Popover>
  )
}
