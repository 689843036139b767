import { expect, test } from 'vitest'
import { billedCores, localDiskGib, seriesOf } from './compose.ts'
import { readSku } from './sku.ts'

/** What a description means: series and resource, or why it is left out. */
function check(description: string, group: string, family = 'Compute', usageType = 'OnDemand') {
  const rate = readSku({
    skuId: 'A',
    description,
    category: { resourceFamily: family, resourceGroup: group, usageType },
    serviceRegions: ['us-central1'],
    pricingInfo: [
      {
        pricingExpression: {
          usageUnit: group === 'LocalSSD' ? 'GiBy.mo' : 'h',
          tieredRates: [{ unitPrice: { currencyCode: 'USD', units: '1', nanos: 460000000 } }],
        },
      },
    ],
  })
  return typeof rate === 'string' ? rate : `${rate.of} ${rate.resource}`
}

test('descriptions as the catalogue has them', () => {
  const none = 'sole tenancy, reservations, extended memory and the like'
  const rows: [string, string, string][] = [
    ['N1 Predefined Instance Core running in Americas', 'N1Standard', 'n1 core'],
    ['N1 Predefined Instance Ram running in Zurich', 'N1Standard', 'n1 gib'],
    ['Spot Preemptible N1 Predefined Instance Ram running in Zurich', 'N1Standard', 'n1 gib'],
    ['Custom Instance Core running in Americas', 'CPU', 'n1-custom core'],
    ['N2 Instance Core running in Americas', 'CPU', 'n2 core'],
    ['N2D AMD Custom Instance Ram running in Paris', 'RAM', 'n2d-custom gib'],
    ['Spot Preemptible N2D AMD Instance Core running in Paris', 'CPU', 'n2d core'],
    ['C4A Arm Instance Core running in Iowa', 'CPU', 'c4a core'],
    ['T2A Arm Instance Ram running in Iowa', 'RAM', 't2a gib'],
    ['Compute optimized Core running in Americas', 'CPU', 'c2 core'],
    ['Compute optimized Ram running in Americas', 'RAM', 'c2 gib'],
    ['Memory-optimized Instance Core running in Americas', 'CPU', 'm1 core'],
    [
      'Memory Optimized Upgrade Premium for Memory-optimized Instance Ram running in Americas',
      'RAM',
      'm2-premium gib',
    ],
    ['M3 Memory-optimized Instance Core running in Iowa', 'CPU', 'm3 core'],
    ['M4Ultramem224 Instance Core running in Iowa', 'CPU', 'm4-ultramem-224 core'],
    ['Commitment v1: Cpu in Americas for 1 Year', 'CPU', 'n1 core'],
    ['Commitment v1: N2D AMD Ram in Americas for 3 Years', 'RAM', 'n2d gib'],
    ['Commitment: Compute optimized Cpu in Americas for 1 Year', 'CPU', 'c2 core'],
    ['Commitment v1: Memory-optimized Ram in Americas for 3 Years', 'RAM', 'm1 gib'],
    ['Commitment v1: C4A Arm Cpu in Iowa for 1 Year', 'CPU', 'c4a core'],
    ['Nvidia L4 GPU running in Americas', 'GPU', 'NVIDIA L4 gpu'],
    [
      'Nvidia Tesla A100 GPU attached to Spot Preemptible VMs running in Americas',
      'GPU',
      'NVIDIA A100 40GB gpu',
    ],
    ['Nvidia H100 80GB Mega GPU running in Iowa', 'GPU', 'NVIDIA H100 80GB Mega gpu'],
    [
      'Commitment v1: Nvidia Tesla A100 80GB GPU running in Americas for 1 Year',
      'GPU',
      'NVIDIA A100 80GB gpu',
    ],
    ['RTX 6000 96GB running in Iowa', 'GPU', 'NVIDIA RTX PRO 6000 gpu'],
    ['Nvidia Tesla K80 GPU running in Americas', 'GPU', ''],
    ['SSD backed Local Storage', 'LocalSSD', ' disk-gib'],
    ['SSD backed Local Storage attached to Spot Preemptible VMs in Iowa', 'LocalSSD', ' disk-gib'],
    ['C4 Instance Local SSD running in Iowa', 'LocalSSD', 'c4 disk-gib'],
    ['Commitment v1: C4A Local SSD in Iowa for 1 Year', 'LocalSSD', 'c4a disk-gib'],
    ['Micro Instance with burstable CPU running in Americas', 'F1Micro', 'f1-micro machine'],
    ['Spot Preemptible Small Instance with 1 VCPU running in Paris', 'G1Small', 'g1-small machine'],
    ['N2 Custom Extended Instance Ram running in Americas', 'RAM', none],
    ['N2 Sole Tenancy Instance Core running in Americas', 'CPU', none],
    ['Reserved A2 Core in Americas', 'CPU', none],
    ['Network Internet Egress', 'Interregion', none],
  ]
  for (const [description, group, expected] of rows)
    expect(check(description, group), description).toBe(expected)
  const licences: [string, string][] = [
    ['Licensing Fee for Windows Server 2022 Datacenter Edition (CPU cost)', 'windows licence-core'],
    ['Licensing Fee for Windows Server 2025 Datacenter Edition on VM', 'windows licence-core'],
    ['Licensing Fee for Windows Server 2019 Datacenter Edition on g1-small', 'g1-small licence-machine'],
    ['Licensing Fee for Windows Server 2022 Datacenter Edition (RAM cost)', ''],
    ['Licensing Fee for Windows Server 2012 BYOL (CPU cost)', ''],
    ['Licensing Fee for SQL Server 2016 Standard on VM with 18 VCPU', ''],
  ]
  for (const [description, expected] of licences)
    expect(check(description, 'Google', 'License'), description).toBe(expected)
  expect(check('Storage PD Capacity', 'PDStandard', 'Storage')).toBe('')
  expect(check('N2 Instance Core running in Iowa', 'CPU', 'Compute', 'Commit5Yr')).toBe(
    'usage type that is not compared',
  )
})

test('series, shared cores and local disks of machine types', () => {
  const rows: [string, string, number, number][] = [
    ['n2-standard-4', 'n2', 4, 0],
    ['n2-custom-4-10240', 'n2-custom', 4, 0],
    ['m2-ultramem-208', 'm1', 4, 0],
    ['n1-megamem-96', 'm1', 4, 0],
    ['m4-ultramem-224', 'm4-ultramem-224', 4, 0],
    ['m4-ultramem-112', 'm4', 4, 0],
    ['e2-micro', 'e2', 0.25, 0],
    ['c3-standard-88-lssd', 'c3', 4, 6_000],
    ['c4-highmem-288-lssd-metal', 'c4', 4, 18_000],
    ['z3-highmem-22-standardlssd', 'z3', 4, 6_000],
    ['a2-ultragpu-2g', 'a2', 4, 750],
    ['c9-standard-4-lssd', 'c9', 4, Number.NaN],
  ]
  for (const [type, series, cores, gib] of rows)
    expect([seriesOf(type), billedCores(type, 4), localDiskGib(type, 2)], type).toEqual([series, cores, gib])
})
