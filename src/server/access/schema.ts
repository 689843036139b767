import Type from 'typebox'
import { scopes } from '../../domain/key.ts'
import { nullable, string, type View } from '../../domain/schema.ts'

const time = (description: string) => nullable(Type.String({ format: 'date-time' }), description)

export type KeyDescription = View<typeof KeyDescription>
export const KeyDescription = Type.Object({
  id: Type.String(),
  organisation: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.Enum([...scopes])),
  state: Type.Enum(['active', 'rotating', 'expired', 'revoked'], {
    description: 'rotating: replaced, but valid until it expires',
  }),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: time('When it expires; null if never'),
  revoked_at: time('When it was revoked; null if it was not'),
  last_used_at: time('Last use, accurate to about half a minute; null if never used'),
  replaced_by: nullable(Type.String(), 'Id of the key that replaced it'),
})

export const IssuedKeyView = Type.Intersect([
  Type.Object({
    key: string('The whole key. It is shown only once and is not stored.'),
  }),
  KeyDescription,
])
