import { version } from '../../runtime/version.ts'
import type { OpenApiDocument } from '../openapi.ts'
import type { Readiness } from '../readiness.ts'
import { reviewRoutes } from '../routes/pricing/reviews.ts'
import { consoleRoutes } from '../routes/service/console.ts'
import { docsRoutes } from '../routes/service/docs.ts'
import { healthRoutes } from '../routes/service/health.ts'
import { settingRoutes } from '../routes/service/settings.ts'
import { viewRoutes } from '../routes/service/views.ts'
import type { Routes } from '../server.ts'
import type { ServiceParts } from './create-parts.ts'
import type { ServiceContext } from './service-part.ts'

export function serverRoutes(
  context: ServiceContext,
  parts: ServiceParts,
  readiness: Readiness,
  describe: () => OpenApiDocument,
): Routes[] {
  const { settings, metrics, now } = context
  const { pricing, ingest, reads, demo } = parts
  return [
    healthRoutes(readiness, metrics),
    docsRoutes(describe),
    consoleRoutes(),
    ...parts.all.flatMap((part) => part.routes),
    reviewRoutes({ ...pricing.deps, now, store: context.store }, reads),
    viewRoutes(context.store),
    settingRoutes({
      version,
      refreshHours: settings.refreshHours,
      costLabels: settings.costLabels,
      watchesSelf: settings.watchSelf,
      retentionDaysOf: ingest.retentionDaysOf,
      isLoadingDemo: demo.isLoadingOf,
    }),
  ]
}
