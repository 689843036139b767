import { useState } from 'react'
import { answer, service } from '../api/client.ts'
import type { KeyRecord } from '../api/session.ts'
import { ConfirmDialog } from '../parts/confirm-dialog.tsx'
import { Select } from '../parts/inputs/inputs.tsx'
import { useKeyChange } from './use-key-change.ts'

interface Props {
  readonly of: KeyRecord
  readonly onClose: () => void
}

const overlaps = [
  ['0', 'Not at all'],
  ['3600', 'For an hour'],
  ['86400', 'For a day'],
  ['604800', 'For a week'],
] as const

export function RotateDialog({ of, onDone, onClose }: Props & { onDone: (secret: string) => void }) {
  const [overlap, setOverlap] = useState('86400')
  const rotate = useKeyChange(
    () =>
      answer(
        service.POST('/admin/keys/{id}/rotate', {
          params: { path: { id: of.id } },
          body: { overlap_seconds: Number(overlap) },
        }),
      ),
    ({ key }) => onDone(key),
  )
  return (
    <ConfirmDialog
      title={`Rotate ${of.name}`}
      action="Rotate the key"
      tone="primary"
      change={rotate}
      onClose={onClose}
    >
      <p>A new key with the same organisation, scopes and expiry replaces it.</p>
      <Select label="The old key stays valid" value={overlap} options={overlaps} onChange={setOverlap} />
    </ConfirmDialog>
  )
}

export function RevokeDialog({ of, onClose }: Props) {
  const revoke = useKeyChange(
    () => answer(service.POST('/admin/keys/{id}/revoke', { params: { path: { id: of.id } } })),
    onClose,
  )
  return (
    <ConfirmDialog
      title={`Revoke ${of.name}?`}
      action="Revoke the key"
      tone="danger"
      change={revoke}
      onClose={onClose}
    >
      <p>
        Requests with the key <code>{of.id}</code> of {of.organisation} are rejected from now on. This cannot
        be undone.
      </p>
    </ConfirmDialog>
  )
}
