import Type from 'typebox'
import type { Routes } from '../../server.ts'

interface ShownSettings {
  readonly version: string
  readonly refreshHours: number
  readonly costLabels: readonly string[]
  retentionDaysOf(organisation: string): number
}

/** Settings of the operator that users need to know. */
export function settingRoutes({ version, refreshHours, costLabels, retentionDaysOf }: ShownSettings): Routes {
  return (server) => {
    server.get('/v1/settings', {
      config: { scope: 'any' },
      schema: {
        tags: ['Operation'],
        summary: 'Show the settings of the service that affect users',
        response: {
          200: Type.Object({
            version: Type.String(),
            retention_days: Type.Integer({ description: 'How long usage of your organisation is stored' }),
            price_refresh_hours: Type.Number({
              description: 'Time between two refreshes of prices; 0 if prices are not refreshed',
            }),
            cost_labels: Type.Array(Type.String(), {
              description: 'Labels that are stored, so that costs can be grouped by them',
            }),
          }),
        },
      },
      handler: async (request, reply) =>
        reply.send({
          version,
          retention_days: retentionDaysOf(request.caller.organisation),
          price_refresh_hours: refreshHours,
          cost_labels: costLabels,
        }),
    })
  }
}
