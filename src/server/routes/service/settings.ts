import Type from 'typebox'
import { defaultOrganisation } from '../../../domain/key.ts'
import { boolean, integer, number } from '../../../domain/schema.ts'
import type { Routes } from '../../server.ts'

interface ShownSettings {
  readonly version: string
  readonly refreshHours: number
  readonly costLabels: readonly string[]
  readonly watchesSelf: boolean
  retentionDaysOf(organisation: string): number
  isLoadingDemo(organisation: string): Promise<boolean>
}

export function settingRoutes(shown: ShownSettings): Routes {
  const { version, refreshHours, costLabels, watchesSelf, retentionDaysOf, isLoadingDemo } = shown
  return (server) => {
    server.get('/v1/settings', {
      config: { scope: 'any' },
      schema: {
        tags: ['Operation'],
        summary: 'Show the settings of the service that affect users',
        response: {
          200: Type.Object({
            version: Type.String(),
            retention_days: integer('How long usage of your organisation is stored'),
            price_refresh_hours: number(
              'Time between two refreshes of prices; 0 if prices are not refreshed',
            ),
            cost_labels: Type.Array(Type.String(), {
              description: 'Labels that are stored, so that costs can be grouped by them',
            }),
            measures_own_host: boolean('Whether the machine that runs the service is one of your machines'),
            is_loading_demo: boolean(
              'Whether your organisation is the demo and its data is still being loaded: all figures are partial until then',
            ),
          }),
        },
      },
      handler: async (request, reply) =>
        reply.send({
          version,
          retention_days: retentionDaysOf(request.caller.organisation),
          price_refresh_hours: refreshHours,
          cost_labels: costLabels,
          measures_own_host: watchesSelf && request.caller.organisation === defaultOrganisation,
          is_loading_demo: await isLoadingDemo(request.caller.organisation),
        }),
    })
  }
}
