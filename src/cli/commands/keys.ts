import { firstOrganisation, scopes } from '../../domain/key.ts'
import { Problem } from '../../domain/problem.ts'
import { parseTime } from '../../domain/time.ts'
import type { KeyDeps } from '../../operations/keys/deps.ts'
import { type IssuedKey, issueKey } from '../../operations/keys/issue-key.ts'
import { listKeys, stateOf } from '../../operations/keys/list-keys.ts'
import { revokeKey } from '../../operations/keys/revoke-key.ts'
import { rotateKey } from '../../operations/keys/rotate-key.ts'
import { viewKey } from '../../operations/keys/view-key.ts'
import { type Call, type Command, exitCode, numberOf, requiredText, textOf, UsageError } from '../command.ts'
import { renderTable } from '../render/table.ts'

type WithKeys = <Result>(call: Call, use: (deps: KeyDeps) => Promise<Result>) => Promise<Result>

/** The same operations as the admin API, straight on the database; a running service follows within seconds. */
export function keyCommands(withKeys: WithKeys): Command[] {
  const settings = ['data'] as const
  return [
    {
      name: 'keys issue',
      summary: 'Issue an API key; it is shown this once',
      settings,
      options: {
        organisation: {
          type: 'string',
          value: 'ORG',
          text: 'Whose key; comes into being with its first key (default: default)',
        },
        name: { type: 'string', value: 'NAME', text: 'What the key is for' },
        scope: {
          type: 'string',
          value: 'SCOPE',
          text: `May be repeated: ${scopes.join(', ')}; default: all but admin`,
          multiple: true,
        },
        expires: {
          type: 'string',
          value: 'TIME',
          text: 'When it ends, such as 2027-01-31T00:00:00Z; default: never',
        },
      },
      run: async (call) => {
        const expires = textOf(call, 'expires')
        const expiresAt = expires === undefined ? undefined : parseTime(expires)
        if (expires !== undefined && expiresAt === undefined) {
          throw new UsageError('--expires must be a time such as 2027-01-31T00:00:00Z')
        }
        const wish = {
          organisation: textOf(call, 'organisation') ?? firstOrganisation,
          name: requiredText(call, 'name'),
          scopes: (call.values.scope as string[] | undefined) ?? scopes.filter((scope) => scope !== 'admin'),
          ...(expiresAt === undefined ? {} : { expiresAt }),
        }
        return withKeys(call, async (deps) => showIssued(call, deps, await issueKey(deps, wish)))
      },
    },
    {
      name: 'keys list',
      summary: 'List keys, newest first',
      settings,
      options: { organisation: { type: 'string', value: 'ORG', text: 'Only of this organisation' } },
      run: async (call) =>
        withKeys(call, async (deps) => {
          const keys = await listKeys(deps, textOf(call, 'organisation'))
          const now = deps.now()
          if (call.json) call.out(JSON.stringify({ keys: keys.map((key) => viewKey(key, now)) }))
          else if (keys.length === 0) call.out('There are no keys.')
          else {
            const rows = keys.map((key) => [
              key.id,
              key.organisation,
              key.name,
              stateOf(key, now),
              dayOf(key.createdAt),
              dayOf(key.expiresAt),
              dayOf(key.lastUsedAt),
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
      summary: 'Replace a key by a new one; the old one stays good for a while',
      operands: 'ID',
      operandCount: [1, 1],
      settings,
      options: {
        overlap: {
          type: 'string',
          value: 'SECONDS',
          text: 'How long the old key stays good; default: a day',
        },
      },
      run: async (call) =>
        withKeys(call, async (deps) => {
          const issued = await rotateKey(deps, call.operands[0]!, numberOf(call, 'overlap')).catch(inOurWords)
          const code = showIssued(call, deps, issued)
          if (!call.json)
            call.err(
              `The old key ${call.operands[0]} is good until ${new Date(issued.oldExpiresAt).toISOString()}.`,
            )
          return code
        }),
    },
    {
      name: 'keys revoke',
      summary: 'End a key now; every node follows within five seconds',
      operands: 'ID',
      operandCount: [1, 1],
      settings,
      run: async (call) =>
        withKeys(call, async (deps) => {
          const record = await revokeKey(deps, call.operands[0]!)
          call.out(
            call.json
              ? JSON.stringify(viewKey(record, deps.now()))
              : `Key ${record.id} (${record.name}) is revoked.`,
          )
          return exitCode.done
        }),
    },
  ]
}

/** By the name that the option has here. */
function inOurWords(error: unknown): never {
  const wrong = error instanceof Problem ? error.errors?.[0] : undefined
  throw wrong?.pointer === '/overlap_seconds' ? new UsageError(`--overlap ${wrong.message}`) : error
}

function showIssued(call: Call, deps: KeyDeps, { key, record }: IssuedKey) {
  if (call.json) call.out(JSON.stringify({ key, ...viewKey(record, deps.now()) }))
  else {
    call.out(key)
    call.err(
      `This is the key ${record.id} of ${record.organisation}. It is not kept and cannot be shown again.`,
    )
  }
  return exitCode.done
}

function dayOf(ms: number | null): string {
  return ms === null ? '-' : new Date(ms).toISOString().slice(0, 10)
}
