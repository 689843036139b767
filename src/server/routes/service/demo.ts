import Type from 'typebox'
import { nullable, string } from '../../../domain/schema.ts'
import type { DemoData } from '../../demo/demo-data.ts'
import { demoOrganisation } from '../../demo/load-demo.ts'
import type { Routes } from '../../server.ts'

const Organisation = string('The organisation that contains only the demo data')

export function demoRoutes(demo: DemoData): Routes {
  const config = { scope: 'admin', problems: ['conflict'] } as const
  const tags = ['Administration']
  return (server) => {
    server.get('/admin/demo', {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'Show whether demo data is loaded',
        response: {
          200: Type.Object({
            organisation: Organisation,
            loaded_until: nullable(Type.String({ format: 'date-time' }), 'null if it is not loaded'),
            is_loading: Type.Boolean(),
          }),
        },
      },
      handler: async (_, reply) => {
        const { loadedUntil, isLoading } = await demo.state()
        return reply.send({
          organisation: demoOrganisation,
          loaded_until: loadedUntil === undefined ? null : new Date(loadedUntil).toISOString(),
          is_loading: isLoading,
        })
      },
    })
    server.post('/admin/demo', {
      config,
      schema: {
        tags,
        summary: 'Start to load demo data, and issue a key that can read it',
        description:
          'Two clusters and six machines with 30 days of usage, always the same, in an organisation of their own. Loading takes some seconds and continues after the response: GET shows when it is done. Later, new hours are added. The key reads that organisation only and expires after a day.',
        response: {
          201: Type.Object({
            organisation: Organisation,
            key: string('Shown only once'),
            expires_at: Type.String({ format: 'date-time' }),
          }),
        },
      },
      handler: async (_, reply) => {
        const { key, record } = await demo.open()
        return reply.code(201).send({
          organisation: record.organisation,
          key,
          expires_at: new Date(record.expiresAt!).toISOString(),
        })
      },
    })
    server.delete('/admin/demo', {
      config,
      schema: {
        tags,
        summary: 'Remove demo data',
        description: 'Removes all usage of the demo organisation and revokes its keys.',
        response: { 204: Type.Null() },
      },
      handler: async (_, reply) => {
        await demo.remove()
        return reply.code(204).send(null)
      },
    })
  }
}
