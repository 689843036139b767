import { beforeAll, expect, test, vi } from 'vitest'

let answer: typeof import('./client.ts').answer
let connection: typeof import('./connection.ts').connection
beforeAll(async () => {
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, { getItem: () => null })
  answer = (await import('./client.ts')).answer
  connection = (await import('./connection.ts')).connection
})

const refused = (code: string) =>
  answer(Promise.resolve({ error: { code, detail: 'why' }, response: new Response(null, { status: 503 }) }))

test.each(['busy', 'loading', 'overloaded', 'too-many-connections'])(
  'a service that answers %s is not away',
  async (code) => {
    await expect(refused(code)).rejects.toMatchObject({ name: 'Refused', status: 503, message: 'why' })
    expect(connection.state.get().away).toBeUndefined()
  },
)

test.each(['starting', 'draining', 'store-unavailable'])(
  'a service that answers %s is away',
  async (code) => {
    await expect(refused(code)).rejects.toMatchObject({ name: 'Away' })
    expect(connection.state.get().away?.reason).toBe('why')
    connection.found()
  },
)
