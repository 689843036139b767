import { scopes } from '../../../domain/key.ts'
import { Problem } from '../../../domain/problem.ts'
import { parseTime } from '../../../domain/time.ts'
import type { KeyDescription } from '../../../server/access/schema.ts'
import { type Call, type Command, exitCode, listOption, textOption, UsageError } from '../../command.ts'
import { organisationOf } from '../../organisation.ts'
import { renderTable } from '../../render/table.ts'
import type { ServiceClient } from '../../server.ts'
import { withAdminService } from '../../with-service.ts'

type IssuedKey = KeyDescription & { readonly key: string }

const path = '/admin/keys'
const settings = ['server', 'data'] as const

/** A running service on the same database follows within seconds. */
export const keyCommands: readonly Command[] = [
  {
    name: 'keys issue',
    summary: 'Issue an API key; it is shown only once',
    settings,
    options: {
      organisation: textOption(
        'ORG',
        'Organisation of the key; created with its first key (default: default)',
      ),
      name: textOption('NAME', 'What the key is for'),
      scope: listOption('SCOPE', `Scope: ${scopes.join(', ')}; default: all but admin`),
      expires: textOption(
        'TIME',
        'Expiry, such as 2027-01-31, which includes that day, or 2027-01-31T08:00:00Z; default: never',
      ),
    },
    optionsByPointer: { '/scopes': '--scope' },
    run: async (call) => {
      const expires = call.time('expires', 'end')
      const expiresAt = expires === undefined ? undefined : parseTime(expires)
      if (expires !== undefined && expiresAt === undefined) {
        throw new UsageError('--expires must be a date or a time such as 2027-01-31T00:00:00Z')
      }
      const body = {
        organisation: organisationOf(call),
        name: call.requiredText('name'),
        scopes: call.texts('scope') ?? scopes.filter((scope) => scope !== 'admin'),
        ...(expiresAt === undefined ? {} : { expires_at: new Date(expiresAt).toISOString() }),
      }
      return withAdminService(call, async (service) => showIssued(call, await service.ask(path, { body })))
    },
  },
  {
    name: 'keys list',
    summary: 'List keys, newest first',
    settings,
    options: { organisation: textOption('ORG', 'Only this organisation') },
    run: async (call) =>
      withAdminService(call, async (service) => {
        const keys = await listKeys(service, call.text('organisation'))
        if (call.json) call.out(JSON.stringify({ keys }))
        else if (keys.length === 0) call.out('There are no keys.')
        else {
          const rows = keys.map((key) => [
            key.id,
            key.organisation,
            key.name,
            key.state,
            dayOf(key.created_at),
            dayOf(key.expires_at),
            dayOf(key.last_used_at),
            key.scopes.join(' '),
          ])
          call.out(
            renderTable([
              ['ID', 'ORGANISATION', 'NAME', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'SCOPES'],
              ...rows,
            ]),
          )
        }
        return exitCode.done
      }),
  },
  {
    name: 'keys rotate',
    summary: 'Replace a key by a new one; the old key stays valid for the overlap',
    operands: 'ID',
    settings,
    options: {
      overlap: textOption('SECONDS', 'How long the old key stays valid; default: a day'),
    },
    run: async (call) =>
      withAdminService(call, async (service) => {
        const [id] = call.operands as [string]
        const body = { overlap_seconds: call.number('overlap') }
        const issued = await service.ask<IssuedKey>(pathOf(id, 'rotate'), { body }).catch(withOptionNames)
        const code = showIssued(call, issued)
        if (call.json) return code
        const old = (await listKeys(service, issued.organisation)).find((key) => key.id === id)
        call.err(`The old key ${id} is valid until ${old?.expires_at}.`)
        return code
      }),
  },
  {
    name: 'keys revoke',
    summary: 'Revoke a key; every node rejects it within five seconds',
    operands: 'ID',
    settings,
    run: async (call) =>
      withAdminService(call, async (service) => {
        const key = await service.ask<KeyDescription>(pathOf(call.operands[0]!, 'revoke'), { method: 'POST' })
        return call.show(key, () => `Key ${key.id} (${key.name}) is revoked.`)
      }),
  },
]

const pathOf = (id: string, verb: string): string => `${path}/${encodeURIComponent(id)}/${verb}`

async function listKeys(service: ServiceClient, organisation: string | undefined): Promise<KeyDescription[]> {
  return (await service.ask<{ keys: KeyDescription[] }>(path, { query: { organisation } })).keys
}

/** Reports an invalid member by the name of its option. */
function withOptionNames(error: unknown): never {
  const wrong = error instanceof Problem ? error.errors?.[0] : undefined
  throw wrong?.pointer === '/overlap_seconds' ? new UsageError(`--overlap ${wrong.message}`) : error
}

function showIssued(call: Call, issued: IssuedKey) {
  if (call.json) call.out(JSON.stringify(issued))
  else {
    call.out(issued.key)
    call.err(
      `This is the key ${issued.id} of ${issued.organisation}. It is not stored and cannot be shown again.`,
    )
  }
  return exitCode.done
}

const dayOf = (time: string | null): string => time?.slice(0, 10) ?? '-'
