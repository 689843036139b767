import {
  type IssuedKey,
  issueKey,
  type KeyDeps,
  type KeyRequest,
} from '../../../operations/keys/issue-key.ts'
import { type KeyDescription, listKeys, viewKey } from '../../../operations/keys/list-keys.ts'
import { revokeKey, rotateKey } from '../../../operations/keys/rotate-key.ts'
import type { RemoteService } from '../../server.ts'

export type IssuedView = KeyDescription & { readonly key: string }

/** The operations on keys, in the database or through a service. */
export interface Keys {
  issue(request: KeyRequest): Promise<IssuedView>
  list(organisation: string | undefined): Promise<readonly KeyDescription[]>
  /** Also returns the time until which the old key is valid. */
  rotate(
    id: string,
    overlapSeconds: number | undefined,
  ): Promise<{ issued: IssuedView; oldExpiresAt: string }>
  revoke(id: string): Promise<KeyDescription>
}

export function keysOnDatabase(deps: KeyDeps): Keys {
  const viewed = ({ key, record }: IssuedKey): IssuedView => ({ key, ...viewKey(record, deps.now()) })
  return {
    issue: async (request) => viewed(await issueKey(deps, request)),
    list: async (organisation) =>
      (await listKeys(deps, organisation)).map((record) => viewKey(record, deps.now())),
    async rotate(id, overlapSeconds) {
      const rotated = await rotateKey(deps, id, overlapSeconds)
      return { issued: viewed(rotated), oldExpiresAt: new Date(rotated.oldExpiresAt).toISOString() }
    },
    revoke: async (id) => viewKey(await revokeKey(deps, id), deps.now()),
  }
}

export function keysOnServer(server: RemoteService): Keys {
  const path = '/admin/keys'
  const pathOf = (id: string, verb: string) => `${path}/${encodeURIComponent(id)}/${verb}`
  const list = async (organisation: string | undefined) =>
    (await server.ask<{ keys: KeyDescription[] }>(path, { query: { organisation } })).keys
  return {
    list,
    issue: ({ expiresAt, ...request }) =>
      server.ask(path, {
        body: {
          ...request,
          ...(expiresAt === undefined ? {} : { expires_at: new Date(expiresAt).toISOString() }),
        },
      }),
    async rotate(id, overlap_seconds) {
      const issued = await server.ask<IssuedView>(pathOf(id, 'rotate'), { body: { overlap_seconds } })
      const old = (await list(issued.organisation)).find((key) => key.id === id)
      return { issued, oldExpiresAt: old?.expires_at ?? '' }
    },
    revoke: (id) => server.ask(pathOf(id, 'revoke'), { method: 'POST' }),
  }
}
