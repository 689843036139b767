import { randomUUID } from 'node:crypto'
import Type from 'typebox'
import { Problem } from '../../../domain/problem.ts'
import { string, type View } from '../../../domain/schema.ts'
import type { Store } from '../../../store/port.ts'
import { compileValidator } from '../../requests/validation.ts'
import type { Routes } from '../../server.ts'

const settingName = 'views'
const maxViews = 200

const SharedViewBody = Type.Object({
  name: string('A view of the same name is replaced', { minLength: 1, maxLength: 80 }),
  address: string('Path and query of a page of the console', {
    maxLength: 2_000,
    pattern: '^/console(/|$|\\?)',
  }),
})
type SharedView = View<typeof SharedView>
const SharedView = Type.Object({
  id: Type.String(),
  ...SharedViewBody.properties,
  by: string('Name of the key that shared it'),
})

/** Addresses of the console that an organisation has named. */
export function viewRoutes(store: Pick<Store, 'settings'>): Routes {
  const read = async (organisation: string) => viewsIn(await store.settings.read(organisation, settingName))
  /** Repeats the change if somebody else has shared a view meanwhile. */
  const change = async (organisation: string, changed: (views: SharedView[]) => SharedView[]) => {
    let before: string | undefined
    let after: SharedView[]
    do {
      before = await store.settings.read(organisation, settingName)
      after = changed(viewsIn(before))
    } while (
      !(await store.settings.replace(
        organisation,
        settingName,
        before,
        after.length === 0 ? undefined : JSON.stringify(after),
      ))
    )
  }
  const tags = ['Operation']
  return (server) => {
    server.get('/v1/views', {
      config: { scope: 'any' },
      schema: {
        tags,
        summary: 'List the views of the console that your organisation shares',
        response: { 200: Type.Array(SharedView) },
      },
      handler: ({ caller }) => read(caller.organisation),
    })
    server.post('/v1/views', {
      validatorCompiler: compileValidator,
      config: { scope: 'gateway:write', problems: ['conflict'] },
      schema: {
        tags,
        summary: 'Share a view of the console with your organisation',
        description: `An organisation has at most ${maxViews}.`,
        body: SharedViewBody,
        response: { 201: SharedView },
      },
      handler: async ({ caller, body: { name, address } }, reply) => {
        const view = { id: randomUUID(), name, address, by: caller.name }
        await change(caller.organisation, (views) => {
          const others = views.filter((each) => each.name !== name)
          if (others.length >= maxViews)
            throw new Problem('conflict', `There are ${maxViews} shared views; remove one first.`)
          return [...others, view].sort((a, b) => (a.name < b.name ? -1 : 1))
        })
        return reply.code(201).send(view)
      },
    })
    server.delete('/v1/views/:id', {
      config: { scope: 'gateway:write', problems: ['not-found'] },
      schema: {
        tags,
        summary: 'Stop sharing a view',
        params: Type.Object({ id: Type.String({ maxLength: 64 }) }),
        response: { 204: Type.Null() },
      },
      handler: async ({ caller, params: { id } }, reply) => {
        await change(caller.organisation, (views) => {
          if (!views.some((view) => view.id === id))
            throw new Problem('not-found', 'No shared view has this id.')
          return views.filter((view) => view.id !== id)
        })
        return reply.code(204).send(null)
      },
    })
  }
}

const viewsIn = (text: string | undefined): SharedView[] => (text === undefined ? [] : JSON.parse(text))
