import Type from 'typebox'
import { scopes } from '../../domain/key.ts'
import type { KeyState } from '../../operations/keys/list-keys.ts'

const time = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

export const KeyView = Type.Object({
  id: Type.String(),
  organisation: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.Enum([...scopes])),
  state: Type.Enum(['active', 'rotating', 'expired', 'revoked'] satisfies KeyState[], {
    description: 'rotating: replaced, and good until it expires',
  }),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: time('When it ends; null: never'),
  revoked_at: time('When it was revoked; null: it was not'),
  last_used_at: time('Last use, about half a minute exact; null: never'),
  replaced_by: Type.Union([Type.String(), Type.Null()], { description: 'The key that took its place' }),
})

export const IssuedKeyView = Type.Intersect([
  Type.Object({
    key: Type.String({ description: 'The whole key. It is shown this once and kept nowhere.' }),
  }),
  KeyView,
])
