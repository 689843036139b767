import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runFakeProviders, shippedBytes } from '../../src/catalogue/refresh/fake-providers.case.ts'
import { fakeCatalogues } from '../../src/providers/fetching/fake-catalogues.case.ts'
import { eventually, type RunningService, startService } from '../service.ts'

/** Starts a service whose small catalogue is refreshed from simulated price lists, so that prices have changed. */
export async function startRefreshed(): Promise<{ service: RunningService; close(): Promise<void> }> {
  const scratch = mkdtempSync(join(tmpdir(), 'cheapside-refreshed-'))
  const catalogue = join(scratch, 'shipped.catalogue')
  writeFileSync(catalogue, shippedBytes)
  const running = await runFakeProviders()
  const service = await startService({
    env: {
      ...running.secrets,
      CHEAPSIDE_CATALOGUE: catalogue,
      CHEAPSIDE_REFRESH_HOURS: '24',
      CHEAPSIDE_REFRESH_REGIONS: 'all',
      CHEAPSIDE_PRICE_ENDPOINTS: Object.entries(running.endpoints)
        .map(([name, url]) => `${name}=${url}`)
        .join(','),
    },
  })
  const close = async () => {
    await service.kill()
    await running.close()
    rmSync(scratch, { recursive: true, force: true })
  }
  return { service, close }
}

/**
 * The first of the shipped instances that has another price than before, as the parts of its address in the console.
 * Others are no longer offered, and which of them is first depends on the lists that could be read.
 */
export async function instanceThatMoved(service: RunningService): Promise<string> {
  const shipped = fakeCatalogues.flatMap(({ lastGood }) => lastGood)
  const found = await eventually(async () => {
    for (const { provider, region, instanceType } of shipped) {
      const query = new URLSearchParams({ provider, region, instance_type: instanceType })
      const { status, json } = await service.request(`/pricing/history?${query}`)
      const moved = status === 200 && json.series.find(hasMoved)
      if (moved) return [provider, region, instanceType, moved.operating_system, moved.usage_type]
    }
    return undefined
  })
  return encodeURIComponent(found.join('|'))
}

const hasMoved = ({ points }: { points: readonly { cost_per_hour: number | null }[] }): boolean =>
  points.some(({ cost_per_hour: cost }, at) => {
    const before = points[at - 1]?.cost_per_hour
    return cost !== null && before != null && cost !== before
  })
