import type { OpenApiDocument } from '../http/openapi.ts'
import type { Readiness } from '../http/readiness.ts'
import { reviewRoutes } from '../http/routes/pricing/reviews.ts'
import { consoleRoutes } from '../http/routes/service/console.ts'
import { docsRoutes } from '../http/routes/service/docs.ts'
import { healthRoutes } from '../http/routes/service/health.ts'
import { mcpRoutes } from '../http/routes/service/mcp.ts'
import { settingRoutes } from '../http/routes/service/settings.ts'
import type { Routes } from '../http/server.ts'
import { version } from '../version.ts'
import type { ServiceParts } from './create-parts.ts'
import { mcpPart } from './mcp-part.ts'
import type { ServiceContext } from './service-part.ts'

/** The routes of the parts, and those that belong to none or to several of them. */
export function serverRoutes(
  context: ServiceContext,
  parts: ServiceParts,
  readiness: Readiness,
  describe: () => OpenApiDocument,
): Routes[] {
  const { settings, metrics, now } = context
  const { pricing, ingest, reads } = parts
  return [
    healthRoutes(readiness, metrics),
    docsRoutes(describe),
    consoleRoutes(),
    ...parts.all.flatMap((part) => part.routes),
    reviewRoutes({ ...pricing.deps, now }, reads),
    settingRoutes({
      version,
      refreshHours: settings.refreshHours,
      costLabels: settings.costLabels,
      retentionDaysOf: ingest.retentionDaysOf,
    }),
    mcpRoutes(mcpHandlerOf(context, parts), reads),
  ]
}

const mcpHandlerOf = (
  { settings, now, reportError }: ServiceContext,
  { pricing, sizes, advice }: ServiceParts,
): ReturnType<typeof mcpPart> =>
  mcpPart(
    {
      pricing: pricing.deps,
      now,
      usage: (use) => use({ ...sizes.deps, labels: settings.costLabels }),
      advice: (use) => use(advice.deps),
    },
    (error) => reportError('error', 'an MCP tool failed', error),
  )
