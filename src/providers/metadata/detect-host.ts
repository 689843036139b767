import { loadOfClouds } from '../providers.ts'
import type { FetchMetadata, HostFacts } from './metadata-service.ts'

/** All metadata services. The first of the list that recognises the machine counts. */
const services = await loadOfClouds((cloud) => cloud.metadata?.())

/** The link-local address at which the machines of most clouds reach the service. */
const linkLocal = 'http://169.254.169.254'

/** Queries all services at once. A service that hangs does not delay the others. */
export async function detectHost(askAt: (endpoint: string) => FetchMetadata): Promise<HostFacts | undefined> {
  const answers = services.map(async (service) => {
    const detected = await service.detect(askAt(service.endpoint ?? linkLocal)).catch(() => undefined)
    if (detected === undefined) return undefined
    return { provider: service.provider, ...detected, usageType: detected.usageType ?? 'ONDEMAND' }
  })
  for (const answer of answers) {
    const facts = await answer
    if (facts === undefined) continue
    const isKnown = ([, value]: [string, unknown]): boolean => value !== undefined && value !== ''
    return Object.fromEntries(Object.entries(facts).filter(isKnown))
  }
  return undefined
}
