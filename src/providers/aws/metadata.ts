import { type MetadataService, parseObject, textIn } from '../metadata/metadata-service.ts'

/**
 * Version 2 of the instance metadata service, which first requires a token that no other cloud issues.
 * docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-categories.html. The name of a zone means a different data
 * centre in each account, so its id is reported.
 */
export const awsMetadata: MetadataService = {
  provider: 'aws',
  async detect(ask) {
    const token = await ask({
      path: '/latest/api/token',
      method: 'PUT',
      headers: { 'X-aws-ec2-metadata-token-ttl-seconds': '60' },
    })
    if (token === undefined) return undefined
    const headers = { 'X-aws-ec2-metadata-token': token.trim() }
    const [text, zoneId, lifeCycle] = await Promise.all([
      ask({ path: '/latest/dynamic/instance-identity/document', headers }),
      ask({ path: '/latest/meta-data/placement/availability-zone-id', headers }),
      ask({ path: '/latest/meta-data/instance-life-cycle', headers }),
    ])
    const document = parseObject(text)
    const instanceType = textIn(document, 'instanceType')
    if (instanceType === undefined) return undefined
    return {
      region: textIn(document, 'region'),
      zone: zoneId?.trim() || textIn(document, 'availabilityZone'),
      instanceType,
      usageType: lifeCycle?.trim() === 'spot' ? 'SPOT_PREEMPTIBLE' : 'ONDEMAND',
    }
  },
}
