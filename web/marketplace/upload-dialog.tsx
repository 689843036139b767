import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { CsvImport } from '../../src/pricing/own-prices/marketplace-csv.ts'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { useProviders } from '../compare/queries.ts'
import { CopyText } from '../parts/copy.tsx'
import { Dialog, DialogFoot } from '../parts/dialog.tsx'
import { counted } from '../parts/figures.ts'
import { TextField } from '../parts/inputs/inputs.tsx'
import { Notice, Trouble } from '../parts/states.tsx'
import { Preview } from './preview.tsx'
import { readFile } from './read-file.ts'

type Body = paths['/marketplace/providers']['post']['requestBody']['content']['application/json']

const example = `instance_type,region,cpu_cores,ram_gb,cost_per_hour,usage_type,operating_system
small-2,cellar,2,4,0.031,ONDEMAND,Linux
large-8,cellar,8,32,0.198,ONDEMAND,Linux`

/** Registers the prices in a file. All errors are shown before anything is sent. */
export function UploadDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient()
  const providers = useProviders()
  const [name, setName] = useState('')
  const [file, setFile] = useState<{ name: string; text: string }>()
  const checked = useMemo(
    () => file && providers.data && readFile(file.text, name.trim(), providers.data),
    [file, name, providers.data],
  )
  const register = useMutation({
    mutationFn: async ({ calls }: CsvImport) => {
      const warnings: string[] = []
      let entries = 0
      for (const call of calls) {
        const done = await answer(service.POST('/marketplace/providers', { body: call as unknown as Body }))
        entries += done.Entries
        warnings.push(...(done.Warnings ?? []))
      }
      return { entries, warnings }
    },
    // Providers are registered one after the other, so those before an error are registered too.
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['marketplace'] })
      void queries.invalidateQueries({ queryKey: ['comparison'] })
    },
  })

  return (
    <Dialog title="Upload prices" onClose={onClose}>
      <div className="dialog-form">
        {register.data === undefined ? (
          <>
            <TextField
              label="Provider name"
              note="empty: as in the column “provider”"
              placeholder="our-datacentre"
              value={name}
              onChange={setName}
            />
            <label className="field">
              <span className="field-label">CSV file</span>
              <input
                type="file"
                accept=".csv,text/csv"
                // A browser reports no change if the same file is chosen again after it was corrected.
                onClick={(event) => {
                  event.currentTarget.value = ''
                  setFile(undefined)
                }}
                onChange={async (event) => {
                  const chosen = event.target.files?.[0]
                  setFile(chosen && { name: chosen.name, text: await chosen.text() })
                }}
              />
            </label>
            {file === undefined && (
              <div>
                <p className="note">
                  The first line contains the column names. Nothing is sent before you confirm.
                </p>
                <CopyText text={example} label="Copy" />
              </div>
            )}
            {checked !== undefined && <Preview checked={checked} />}
            {register.error !== null && <Trouble error={register.error} />}
            <DialogFoot onClose={onClose}>
              <button
                type="button"
                className="button primary"
                disabled={!isGood(checked) || register.isPending}
                onClick={() => checked && register.mutate(checked)}
              >
                {register.isPending
                  ? 'Registering…'
                  : isGood(checked)
                    ? `Register ${counted(checked?.lines ?? 0, 'price')}`
                    : 'Register'}
              </button>
            </DialogFoot>
          </>
        ) : (
          <>
            <Notice
              tone="good"
              title={`${counted(register.data.entries, 'price is', 'prices are')} registered.`}
            >
              They are now part of every comparison.
            </Notice>
            {register.data.warnings.length > 0 && (
              <Notice tone="warning" title="Note">
                <ul className="plain-list">
                  {register.data.warnings.map((warning) => (
                    <li key={warning}>{warning}</li>
                  ))}
                </ul>
              </Notice>
            )}
            <div className="dialog-foot">
              <button type="button" className="button primary" onClick={onClose}>
                Done
              </button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}

const isGood = (checked: CsvImport | undefined): boolean =>
  checked !== undefined && checked.bad.length === 0 && checked.calls.length > 0
