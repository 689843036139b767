import type { MetadataService } from '../metadata/metadata-service.ts'

/**
 * cloud.google.com/compute/docs/metadata/predefined-metadata-keys. Zone and type are the last part of a path:
 * projects/123/zones/europe-west1-b. Spot machines count as preemptible.
 */
export const gcpMetadata: MetadataService = {
  provider: 'gcp',
  async detect(ask) {
    const headers = { 'Metadata-Flavor': 'Google' }
    const [type, zonePath, preemptible] = await Promise.all(
      ['machine-type', 'zone', 'scheduling/preemptible'].map((name) =>
        ask({ path: `/computeMetadata/v1/instance/${name}`, headers }),
      ),
    )
    const instanceType = lastPart(type)
    const zone = lastPart(zonePath)
    if (instanceType === undefined || zone === undefined) return undefined
    return {
      region: zone.replace(/-[a-z]$/, ''),
      zone,
      instanceType,
      usageType: /^true$/i.test(preemptible?.trim() ?? '') ? 'SPOT_PREEMPTIBLE' : 'ONDEMAND',
    }
  },
}

const lastPart = (path: string | undefined): string | undefined =>
  path === undefined || !path.startsWith('projects/') ? undefined : path.trim().split('/').at(-1)
