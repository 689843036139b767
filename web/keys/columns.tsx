import type { KeyRecord } from '../api/session.ts'
import { Badge } from '../parts/badge.tsx'
import { ago, day } from '../parts/figures.ts'
import type { Column } from '../parts/table/column.ts'

export interface Action {
  readonly what: 'rotate' | 'revoke'
  readonly of: KeyRecord
}

const tones = { active: 'good', rotating: 'warn', expired: undefined, revoked: 'bad' } as const

export function keyColumns(onAction: (action: Action) => void): readonly Column<KeyRecord>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      value: ({ name, id }) => `${name} ${id}`,
      cell: ({ name, id, organisation }) => (
        <span className="two-lines whole-name">
          <b>{name}</b>
          <span className="not-narrow">
            <code>{id}</code>
          </span>
          <span className="only-narrow">{organisation}</span>
        </span>
      ),
    },
    { id: 'organisation', header: 'Organisation', value: ({ organisation }) => organisation, minor: true },
    {
      id: 'scopes',
      header: 'Scopes',
      value: ({ scopes }) => scopes.join(' '),
      cell: ({ scopes }) => (
        <span className="badges">
          {scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </span>
      ),
      minor: true,
    },
    {
      id: 'state',
      header: 'State',
      value: ({ state }) => state,
      cell: ({ state }) => <Badge tone={tones[state]}>{state}</Badge>,
    },
    {
      id: 'used',
      header: 'Last used',
      value: ({ last_used_at }) => last_used_at,
      cell: ({ last_used_at }) => ago(last_used_at, Date.now()),
      minor: true,
    },
    {
      id: 'created',
      header: 'Issued',
      value: ({ created_at }) => created_at,
      cell: ({ created_at }) => day(created_at),
      extra: true,
    },
    {
      id: 'expires',
      header: 'Expires',
      value: ({ expires_at }) => expires_at,
      cell: ({ expires_at }) => (expires_at === null ? 'never' : day(expires_at)),
      extra: true,
    },
    {
      id: 'actions',
      header: 'Change',
      value: () => null,
      action: true,
      cell: (of) =>
        of.state === 'active' || of.state === 'rotating' ? (
          <span className="row-actions">
            {of.state === 'active' && (
              <button type="button" className="button" onClick={() => onAction({ what: 'rotate', of })}>
                Rotate<span className="visually-hidden"> {of.name}</span>
              </button>
            )}
            <button type="button" className="button danger" onClick={() => onAction({ what: 'revoke', of })}>
              Revoke<span className="visually-hidden"> {of.name}</span>
            </button>
          </span>
        ) : null,
    },
  ]
}
