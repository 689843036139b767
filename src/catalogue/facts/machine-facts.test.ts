import { expect, test } from 'vitest'
import type { MachineFactsFile } from '../../domain/machine-facts.ts'
import { MachineFacts } from './machine-facts.ts'
import { distanceKm, Places } from './places.ts'

const nothing: MachineFactsFile = {
  format: 1,
  licence: '',
  credits: [],
  generations: [],
  disks: [],
  kinds: [],
  vcpus: [],
  accelerators: [],
  regions: [],
  speeds: [],
  processors: [],
  power: [],
  carbon: [],
  spotRegions: [],
  spotBands: [],
}
const files: MachineFactsFile[] = [
  {
    ...nothing,
    generations: [['acme', 'old.large', 'retired', '2025-01-31']],
    disks: [['acme', 'disk.large', 1862.6, 'nvme', false, 5, 10]],
    kinds: [
      ['acme', '^disk\\.', 'storage-optimised'],
      ['acme', '\\.metal$', 'bare-metal'],
      ['acme', '^secret\\.', 'custom'],
    ],
    vcpus: [
      ['acme', 2, '.*', 'dedicated-thread'],
      ['acme', 1, '^tiny\\.', 'burstable'],
    ],
    accelerators: [['acme', 'npu.large', 2, 'Acme Thinker', 'npu']],
    spotRegions: [['acme', '2025-06-28', ['east', 'west']]],
    spotBands: [['acme', 'Linux', 'm.large', '4x']],
  },
  {
    ...nothing,
    speeds: [['acme', 'm.large', 14320, 'coremark', '']],
    regions: [
      ['acme', 'east', 'US', 'NA', 'Ashburn', 39.04, -77.49, 'commercial'],
      ['acme', 'gov', 'US', 'NA', 'Columbus', 39.96, -83, 'gov'],
      ['acme', 'reserve', 'FR', 'EU', 'Marseille', 43.3, 5.37, 'commercial-restricted'],
      ['acme', 'paris', 'FR', 'EU', 'Paris', 48.86, 2.35, 'commercial'],
    ],
  },
]
const facts = new MachineFacts(files)
const places = new Places(files)

test('facts of all files together make the traits of a type', () => {
  expect(facts.traits('acme', 'm.large')).toMatchObject({ kinds: 0, isOffered: true, speed: 14320 })
  expect(facts.traits('acme', 'old.large').isOffered).toBe(false)
  expect(facts.traits('acme', 'secret.large').isOffered).toBe(false)
  expect(facts.traits('acme', 'disk.large')).toMatchObject({ localDiskGib: 1863, localDiskRank: 3 })
  expect(facts.traits('acme', 'disk.metal').kinds).toBe(0b1_0000_0001)
  expect(facts.traits('nobody', 'm.large').speed).toBe(0)
})

test('names match in any letter case', () => {
  expect(facts.speed('acme', 'M.LARGE')).toEqual({ perVcpu: 14320, basis: 'coremark', donor: '' })
  expect(places.find('acme', 'EAST')?.city).toBe('Ashburn')
})

test('the kind of vCPU is that of the first matching rule by rank', () => {
  expect(facts.vcpuKind('acme', 'tiny.large')).toBe('burstable')
  expect(facts.vcpuKind('acme', 'm.large')).toBe('dedicated-thread')
  expect(facts.vcpuKind('nobody', 'm.large')).toBeUndefined()
})

test('a disk of 0 GiB means no disk, and a missing row means unknown', () => {
  expect(facts.disk('acme', 'disk.large')).toEqual({ gib: 1862.6, kind: 'nvme', isRoot: false })
  expect(facts.disk('acme', 'm.large')).toBeUndefined()
})

test('accelerators have a kind', () => {
  expect(facts.accelerator('acme', 'npu.large')).toEqual({ count: 2, model: 'Acme Thinker' })
  expect(facts.acceleratorKind('acme thinker')).toBe('npu')
})

test('how often spot machines are interrupted, if known', () => {
  const band = (region: string) => facts.spotInterruption('acme', region, 'Linux', 'm.large')
  expect(band('east')).toEqual({ band: 4, label: '>20%', day: '2025-06-28' })
  expect(band('west')).toBeUndefined()
  expect(band('north')).toBeUndefined()
})

test('an area is a continent and a partition; restricted regions form their own area', () => {
  expect(places.area('acme', 'east')).toBe('NA commercial')
  expect(places.area('acme', 'gov')).toBe('NA gov')
  expect(places.area('acme', 'reserve')).not.toBe(places.area('acme', 'paris'))
  expect(places.areaAround('acme', 'reserve')).toBe('EU commercial')
  expect(places.areaAround('acme', 'nowhere')).toBeUndefined()
  expect(places.area('nobody', 'east')).toBe('')
})

test('finds a point by region, city or coordinates, and the regions near it', () => {
  expect(places.locate('PARIS')?.latitude).toBe(48.86)
  expect(places.locate('marseille')?.latitude).toBe(43.3)
  expect(places.locate('48.86, 2.35')).toEqual({ latitude: 48.86, longitude: 2.35 })
  expect(places.locate('91,0')).toBeUndefined()
  expect(places.locate('Atlantis')).toBeUndefined()
  expect(places.nearest({ latitude: 48.86, longitude: 2.35 }, 1000).map(({ place }) => place.region)).toEqual(
    ['paris', 'reserve'],
  )
})

test('distance along the surface of the earth', () => {
  const [east, paris] = [places.find('acme', 'east')!, places.find('acme', 'paris')!]
  expect(Math.round(distanceKm(east, paris) / 100)).toBe(62)
  expect(distanceKm(east, east)).toBe(0)
})
