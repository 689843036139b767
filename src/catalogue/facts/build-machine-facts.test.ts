import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { offer } from '../../domain/offer.case.ts'
import { buildOfferColumns } from '../columns/build-columns.ts'
import { factsFrom, shippedFacts } from '../shipped-facts.ts'
import { buildMachineFacts } from './build-machine-facts.ts'

const tables: Record<string, string> = {
  generations:
    'provider,instance_type,generation,retires_on,note,source\naws,m5.large,current,,,moto\naws,p3.2xlarge,retired,2025-01-01,,moto\n',
  'storage-network':
    'provider,instance_type,local_disk_gib,local_disk_kind,local_disk_is_root,network_gbps_baseline,network_gbps_max,source\naws,i3.large,442,nvme,false,0.75,10,moto\nhetzner,cx33,80,ssd,true,,,SpareCores/sc-data-dumps\n',
  'special-kinds': 'provider,pattern,kind,note,source\naws,^i\\d\\.,storage-optimised,,moto\n',
  'vcpu-rules': 'provider,rank,pattern,vcpu_kind,note,source\naws,01,.*,dedicated-thread,,moto\n',
  'aws-accelerators':
    'instance_type,gpu_count,gpu_name,accelerator_kind,memory_mib_each,source\np4d.24xlarge,8,NVIDIA A100,gpu,40960,moto\n',
  'azure-gpus':
    'instance_type,gpu_count,gpu_name,accelerator_kind,basis,source\nStandard_NV6ads_A10_v5,0.1667,NVIDIA A10,gpu,documented,docs\n',
  regions:
    'provider,region,country,continent,city,latitude,longitude,partition,price_region,source\naws,us-east-1,US,NA,Ashburn,39,-77,commercial,us-east-1,SpareCores/sc-data-dumps\ndigitalocean,global,,,,,,all-regions,global,x\n',
  'machine-power':
    'provider,instance_type,min_watts,max_watts,embodied_kgco2e_platform,method,source\naws,m5.large,4,20,1000,model,ccf\n',
  carbon:
    'provider,region,gco2e_per_kwh,year,carbon_free_share,scope,source\naws,us-east-1,400,2022,,grid,x\naws,us-east-1,380,2023,,grid,x\n',
  'spot-interruption':
    'region,operating_system,instance_type,band,band_label,savings_pct,as_of\nus-east-1,Linux,m5.large,2,10-15%,60,2025-06-28\neu-west-1,Linux,m5.large,1,5-10%,0,2025-06-28\n',
  cpus: 'provider,instance_type,cpu_model,architecture,vcpus,threads_per_core,seen_on,source\naws,m5.large,Xeon,x86_64,2,2,2024-06-04,SpareCores\n',
  performance:
    'provider,instance_type,benchmark,unit,score_all_cores,score_one_core,samples,measured_on,source\naws,m5.large,coremark,iterations/s,28000,,1,2025-12-11,vantage\n',
  'performance-fill':
    'provider,instance_type,donor_instance_type,basis\naws,m5.xlarge,m5.large,"same family, other size"\n',
}

async function factsDirectory(changed: Record<string, string> = {}): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'machine-facts-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries({ ...tables, ...changed }))
    await writeFile(join(directory, `${name}.csv`), text)
  return directory
}

const prices = buildOfferColumns([offer({ provider: 'aws', instanceType: 'm5.large', vcpus: 2 })])

test('a type that bursts above an unpublished baseline has no speed and is not offered', async () => {
  const directory = await factsDirectory({
    performance: `${tables.performance}aws,t1.micro,coremark,iterations/s,23454,,1,2025-12-10,vantage\n`,
  })
  const types = ['m5.large', 't1.micro'].map((instanceType) =>
    offer({ provider: 'aws', instanceType, vcpus: 1 }),
  )
  const built = await buildMachineFacts(directory, directory, [buildOfferColumns(types)])
  const files = await Promise.all(built.map(async ({ file }) => JSON.parse(await readFile(file, 'utf8'))))
  const { machines } = factsFrom(files)
  expect(machines.traits('aws', 't1.micro')).toMatchObject({ isOffered: false, speed: 0, kinds: 0 })
  expect(machines.traits('aws', 'm5.large')).toMatchObject({ isOffered: true, speed: 28_000 })
})

test('the shipped facts do not offer t1.micro', () => {
  const { machines } = shippedFacts()
  expect(machines.traits('aws', 't1.micro')).toMatchObject({ isOffered: false, speed: 0 })
  expect(machines.traits('aws', 't2.micro').isOffered).toBe(true)
})

test('facts become files of our own, those of Spare Cores apart', async () => {
  const directory = await factsDirectory()
  const [own, theirs] = await buildMachineFacts(directory, directory, [prices])
  const files = await Promise.all(
    [own!, theirs!].map(async ({ file }) => JSON.parse(await readFile(file, 'utf8'))),
  )
  expect(files.map(({ licence }) => licence)).toEqual(['Apache-2.0', 'CC BY-SA 4.0'])
  expect(files[0].regions).toEqual([])
  expect(files[0].disks).toHaveLength(1)
  expect(files[1].disks).toEqual([['hetzner', 'cx33', 80, 'ssd', true, null, null]])
  const { machines, places } = factsFrom(files)
  expect(machines.speed('aws', 'm5.large')).toEqual({ perVcpu: 14000, basis: 'coremark', donor: '' })
  expect(machines.speed('aws', 'm5.xlarge')).toEqual({
    perVcpu: 14000,
    basis: 'same-family',
    donor: 'm5.large',
  })
  expect(machines.generation('aws', 'p3.2xlarge')).toEqual({ generation: 'retired', endsOn: '2025-01-01' })
  expect(machines.accelerator('aws', 'p4d.24xlarge')).toEqual({ count: 8, model: 'NVIDIA A100 40GB' })
  expect(machines.accelerator('azure', 'Standard_NV6ads_A10_v5')?.count).toBe(0.1667)
  expect(places.carbon('aws', 'us-east-1')).toEqual({ gramsPerKwh: 380, year: 2023, scope: 'grid' })
  expect(machines.spotInterruption('aws', 'us-east-1', 'Linux', 'm5.large')?.label).toBe('10-15%')
  expect(machines.spotSaves('aws', 'eu-west-1', 'Linux', 'm5.large')).toBe(false)
})

test('invalid facts are refused, and nothing is written', async () => {
  const directory = await factsDirectory({
    'special-kinds': 'provider,pattern,kind,note,source\naws,(,custom,,x\n',
  })
  await expect(buildMachineFacts(directory, directory, [prices])).rejects.toThrow('no regular expression')
  await expect(readFile(join(directory, 'machines.json'))).rejects.toThrow()
})
