import { type MetadataService, parseObject, textIn } from '../metadata/metadata-service.ts'

/** learn.microsoft.com/azure/virtual-machines/instance-metadata-service; priority is empty, Regular, Low or Spot. */
export const azureMetadata: MetadataService = {
  provider: 'azure',
  async detect(ask) {
    const text = await ask({
      path: '/metadata/instance?api-version=2021-02-01',
      headers: { Metadata: 'true' },
    })
    const compute = parseObject(text)?.compute as Record<string, unknown> | undefined
    const instanceType = textIn(compute, 'vmSize')
    if (instanceType === undefined) return undefined
    return {
      region: textIn(compute, 'location'),
      zone: textIn(compute, 'zone'),
      instanceType,
      usageType: /^(spot|low)$/i.test(textIn(compute, 'priority') ?? '') ? 'SPOT_PREEMPTIBLE' : 'ONDEMAND',
    }
  },
}
