import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orProblem } from '../../domain/not-found.ts'
import type { FieldError, Problem } from '../../domain/problem.ts'
import { exampleEntry } from '../../store/contract/examples.case.ts'
import { StoreUnavailable } from '../../store/port.ts'
import { recommendOffers } from '../recommend-offers.ts'
import { openTestMarket, request, type TestMarket } from '../test-market.case.ts'
import type { Registration } from './check-registration.ts'
import { listMarketplace, listMarketplaceEntries } from './list-marketplace.ts'
import { OwnPriceCache } from './own-prices.ts'
import { registerMarketplace, removeMarketplace } from './register-marketplace.ts'

let fixture: TestMarket
let organisations = 0
beforeAll(async () => {
  fixture = await openTestMarket()
})
afterAll(() => fixture.close())

const newOrganisation = () => `org-${++organisations}`
const entry = (over: object = {}) => ({
  cost_per_hour: 0.05,
  cpu_cores: 4,
  ram_gb: 16,
  instance_type: 'cosy',
  region: 'cellar',
  ...over,
})
const register = (organisation: string, given: Registration) =>
  registerMarketplace(fixture.marketplace, organisation, given)
const answer = async (organisation: string, over: Parameters<typeof request>[0] = {}) =>
  new Map(orProblem(await recommendOffers(fixture.pricing, organisation, request(over))))

async function errorsOf(given: Registration): Promise<readonly FieldError[]> {
  const organisation = newOrganisation()
  const problem: Problem = await register(organisation, given).then(
    () => expect.unreachable('it was registered'),
    (error) => error,
  )
  expect(problem.code).toBe('invalid')
  expect((await listMarketplace(fixture.marketplace, organisation)).count).toBe(0)
  return problem.errors!
}

const nested = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000))

describe('refused, all or nothing', () => {
  const bad = (over: object) => ({ name: 'acme', entries: [entry(), entry({ instance_type: 'b', ...over })] })
  test.each<[string, Registration, string[]]>([
    ['negative', bad({ cost_per_hour: -1 }), ['/entries/1/cost_per_hour']],
    ['NaN', bad({ cost_per_hour: Number.NaN }), ['/entries/1/cost_per_hour']],
    ['endless', bad({ cost_per_hour: Number.POSITIVE_INFINITY }), ['/entries/1/cost_per_hour']],
    ['huge', bad({ ram_gb: 1e7 }), ['/entries/1/ram_gb']],
    ['a string number', bad({ cpu_cores: '4' }), ['/entries/1/cpu_cores']],
    ['no cores', bad({ cpu_cores: 0 }), ['/entries/1/cpu_cores']],
    [
      'missing members',
      { name: 'acme', entries: [{}] },
      [
        '/entries/0/region',
        '/entries/0/instance_type',
        '/entries/0/cost_per_hour',
        '/entries/0/cpu_cores',
        '/entries/0/ram_gb',
      ],
    ],
    [
      'several at once',
      bad({ usage_type: 'x', operating_system: 'plan9', region: '' }),
      ['/entries/1/usage_type', '/entries/1/operating_system', '/entries/1/region'],
    ],
    ['over-long', bad({ region: 'r'.repeat(257) }), ['/entries/1/region']],
    ['over-long in bytes', bad({ service: 'é'.repeat(129) }), ['/entries/1/service']],
    ['a control character', bad({ availability_zone: 'a\nb' }), ['/entries/1/availability_zone']],
    ['half a pair', bad({ instance_type: '\ud800' }), ['/entries/1/instance_type']],
    [
      'a control character in raw data',
      bad({ raw_pricing_data: { a: ['b\0'] } }),
      ['/entries/1/raw_pricing_data/a/0'],
    ],
    ['half a pair as a member', bad({ raw_pricing_data: { '\ud800': 1 } }), ['/entries/1/raw_pricing_data']],
    [
      'raw data nested without end',
      bad({ raw_pricing_data: { a: nested } }),
      [`/entries/1/raw_pricing_data/a${'/0'.repeat(63)}`],
    ],
    ['cores too small to divide by', bad({ cpu_cores: 5e-324 }), ['/entries/1/cpu_cores']],
    ['a name that is no text', { name: { toString: null, valueOf: null }, entries: [entry()] }, ['/name']],
    ['a name nested without end', { name: nested, entries: [entry()] }, ['/name']],
    ['an entry nested without end', { name: 'acme', entries: [nested] }, ['/entries/0']],
    [
      'members that are no texts',
      bad({ region: nested, provider: { toString: null } }),
      ['/entries/1/provider', '/entries/1/region'],
    ],
    ...['compute', 'Disks', 'DATABASES', 'models'].map((name): [string, Registration, string[]] => [
      `the reserved name ${name}`,
      { name, entries: [entry()] },
      ['/name'],
    ]),
    ['blanks around', bad({ region: ' r' }), ['/entries/1/region']],
    ['base', bad({ instance_type: 'BASE' }), ['/entries/1/instance_type']],
    ['raw data that is a list', bad({ raw_pricing_data: [] }), ['/entries/1/raw_pricing_data']],
    [
      'raw data without end',
      bad({ raw_pricing_data: { x: 'x'.repeat(5000) } }),
      ['/entries/1/raw_pricing_data'],
    ],
    [
      'the same twice',
      {
        name: 'acme',
        entries: [entry(), entry({ cost_per_hour: 1, operating_system: 'ubuntu', usage_type: 'on-demand' })],
      },
      ['/entries/1'],
    ],
    ['no object', { name: 'acme', entries: [null, 5, []] }, ['/entries/0', '/entries/1', '/entries/2']],
    ['no list', { name: 'acme', entries: {} }, ['/entries']],
    ['an empty list', { name: 'acme', entries: [] }, ['/entries']],
    ['nothing', {}, ['/name', '/entries']],
    ['one too many', { name: 'acme', entries: Array.from({ length: 10_001 }, () => entry()) }, ['/entries']],
    ['a key', { name: 'aws', entries: [entry()] }, ['/name']],
    ['a display name', { name: 'OVHcloud', entries: [entry()] }, ['/name']],
    ['an alias', { name: 'Google Cloud', entries: [entry()] }, ['/name']],
    ['base as name', { name: 'Base', entries: [entry()] }, ['/name']],
    ['a dot', { name: '.', entries: [entry()] }, ['/name']],
    ['two dots', { name: '..', entries: [entry()] }, ['/name']],
    ['a blank name', { name: ' ', entries: [entry()] }, ['/name']],
  ])('%s', async (_, given, pointers) => {
    expect((await errorsOf(given)).map(({ pointer }) => pointer)).toEqual(pointers)
  })

  test('of many faults the first hundred are listed and all counted', async () => {
    const entries = Array.from({ length: 300 }, () => ({}))
    await expect(register(newOrganisation(), { name: 'acme', entries })).rejects.toMatchObject({
      message: 'Nothing was registered. The first 100 of 1500 are listed.',
      errors: { length: 100 },
    })
  })
})

describe('registered', () => {
  test('it is a candidate at once, with defaults filled in', async () => {
    const organisation = newOrganisation()
    expect((await answer(organisation)).has('cosy')).toBe(false)
    expect(await register(organisation, { name: 'acme', entries: [entry()] })).toEqual({
      Status: 'Registered',
      Entries: 1,
    })
    const [item] = (await answer(organisation)).get('cosy')!
    expect(item).toMatchObject({
      instance_pricing: {
        cost_per_hour: 0.05,
        provider: 'acme',
        service: 'acme',
        region: 'cellar',
        usage_type: 'ONDEMAND',
        operating_system: 'Linux',
      },
      vm: { cpu_cores: 4, ram_gb: 16 },
      savings: { amount_per_hour: 0.142 },
    })
  })

  test('sending it again replaces the price', async () => {
    const organisation = newOrganisation()
    await register(organisation, { name: 'acme', entries: [entry()] })
    await register(organisation, { name: 'acme', entries: [entry({ cost_per_hour: 0.04, cpu_cores: 8 })] })
    const items = (await answer(organisation)).get('cosy')!
    expect(items.map((item) => [item.instance_pricing.cost_per_hour, item.vm!.cpu_cores])).toEqual([
      [0.04, 8],
    ])
  })

  test('another provider in the entry is kept in the raw data, with a warning', async () => {
    const organisation = newOrganisation()
    const given = { name: 'acme', entries: [entry({ provider: 'reseller', raw_pricing_data: { sku: 7 } })] }
    expect(await register(organisation, given)).toEqual({
      Status: 'Registered',
      Entries: 1,
      Warnings: ['/entries/0/provider is "reseller"; registered under "acme".'],
    })
    const [item] = (await answer(organisation, { include_metadata: true })).get('cosy')!
    expect(item!.instance_pricing.raw_pricing_data).toMatchObject({
      source: 'marketplace',
      registered: { sku: 7, provider: 'reseller' },
    })
  })

  test('names of object properties are ordinary names', async () => {
    const organisation = newOrganisation()
    const names = ['__proto__', 'constructor', '4', 'toString']
    await register(organisation, {
      name: '__proto__',
      entries: names.map((instance_type) => entry({ instance_type })),
    })
    const found = await answer(organisation, { predicates: { providers: ['__proto__'] } })
    expect([...found.keys()].toSorted()).toEqual(['base', ...names].toSorted())
  })

  test('a type with the name of a built-in one joins its group', async () => {
    const organisation = newOrganisation()
    await register(organisation, { name: 'acme', entries: [entry({ instance_type: 'm5.large' })] })
    const items = (await answer(organisation)).get('m5.large')!
    expect(items.map((item) => item.instance_pricing.provider)).toEqual(['acme', 'AWS'])
  })

  test('it can be the current instance, by its name in any letter case', async () => {
    const organisation = newOrganisation()
    await register(organisation, {
      name: 'Acme',
      entries: [entry({ cost_per_hour: 0.09, service: 'Rooms' })],
    })
    const current = { provider: 'ACME', region: 'Cellar', instance_type: 'COSY', service: 'rooms' }
    const found = await answer(organisation, current)
    expect(found.get('base')![0]!.instance_pricing).toMatchObject({
      cost_per_hour: 0.09,
      provider: 'Acme',
      service: 'Rooms',
    })
    await expect(answer(organisation, { ...current, service: 'Halls' })).rejects.toMatchObject({
      errors: [{ pointer: '/service' }],
    })
    await expect(answer(organisation, { ...current, instance_type: 'cosi' })).rejects.toMatchObject({
      code: 'unknown-instance-type',
      extra: { nearest: { instance_types: ['cosy'] } },
    })
  })

  test('no other organisation sees it, compares with it or is notified of it', async () => {
    const [one, other] = [newOrganisation(), newOrganisation()]
    await register(one, { name: 'secretive', entries: [entry({ instance_type: 'hidden' })] })
    await register(other, { name: 'loud', entries: [entry({ instance_type: 'open' })] })
    const theirs = await answer(other, { limit: 200 })
    expect([theirs.has('hidden'), theirs.has('open')]).toEqual([false, true])
    const current = { provider: 'secretive', region: 'cellar', instance_type: 'hidden', service: '' }
    const [unknown, misspelt] = await Promise.all(
      [current, { ...current, provider: 'secretiv' }].map((over) =>
        answer(other, over).catch((problem) => problem),
      ),
    )
    expect([unknown.code, misspelt.code]).toEqual(['unknown-provider', 'unknown-provider'])
    expect(JSON.stringify([unknown.extra, misspelt.extra])).not.toContain('secretive')
    expect((await listMarketplace(fixture.marketplace, other)).providers).toEqual([
      { provider: 'loud', service: 'loud' },
    ])
    await expect(removeMarketplace(fixture.marketplace, other, 'secretive')).rejects.toMatchObject({
      code: 'not-found',
    })
    expect((await answer(one)).has('hidden')).toBe(true)
  })

  test('it is gone after it is removed', async () => {
    const organisation = newOrganisation()
    await register(organisation, { name: 'acme', entries: [entry(), entry({ region: 'attic' })] })
    expect((await answer(organisation)).has('cosy')).toBe(true)
    expect(await removeMarketplace(fixture.marketplace, organisation, 'acme')).toEqual({
      Status: 'Removed',
      Entries: 2,
    })
    expect((await answer(organisation)).has('cosy')).toBe(false)
  })
})

test('entries come back page by page as they were sent', async () => {
  const organisation = newOrganisation()
  const entries = Array.from({ length: 7 }, (_, i) => entry({ region: `r${i}`, raw_pricing_data: { i } }))
  await register(organisation, { name: 'acme', entries })
  const regions: string[] = []
  let cursor: string | undefined
  do {
    const page = { limit: 3, ...(cursor === undefined ? {} : { cursor }) }
    const found = await listMarketplaceEntries(fixture.marketplace, organisation, 'acme', page)
    regions.push(...found.entries.map((item) => `${item.region} ${JSON.stringify(item.raw_pricing_data)}`))
    cursor = found.next
  } while (cursor !== undefined)
  expect(regions).toEqual(entries.map((_, i) => `r${i} {"i":${i}}`))
  const badCursor = listMarketplaceEntries(fixture.marketplace, organisation, 'acme', {
    limit: 3,
    cursor: 'x',
  })
  await expect(badCursor).rejects.toMatchObject({ code: 'invalid' })
})

test('concurrent registrations are both stored, and several pages are complete', async () => {
  const organisation = newOrganisation()
  const many = (name: string) => ({
    name,
    entries: Array.from({ length: 3_000 }, (_, i) => entry({ instance_type: `${name}-${i}` })),
  })
  await answer(organisation)
  await Promise.all([
    register(organisation, many('one')),
    register(organisation, many('two')),
    answer(organisation),
  ])
  const own = await fixture.ownPrices.of(organisation)
  expect(own.entries).toBe(6_000)
  const found = await answer(organisation, { predicates: { instance_types: ['one-2999', 'two-0'] } })
  expect([...found.keys()]).toEqual(['base', 'one-2999', 'two-0'])
})

test('a zone is known in all own prices, however many there are', async () => {
  const organisation = newOrganisation()
  const types = Array.from({ length: 2_500 }, (_, i) => entry({ instance_type: `t${i}` }))
  await register(organisation, {
    name: 'acme',
    entries: [...types, entry({ instance_type: 'zoned', availability_zone: 'shelf 1' })],
  })
  const limits = (zone: string) => ({ predicates: { availability_zones: [zone] }, limit: 200 })
  expect((await answer(organisation, limits('Shelf 1'))).size).toBe(201)
  expect([...(await answer(organisation, limits('shelf 2'))).keys()]).toEqual(['base'])
})

test('a registration is stored even if reading it back fails', async () => {
  const organisation = newOrganisation()
  await answer(organisation)
  let down = false
  const store = {
    ...fixture.store,
    get marketplace() {
      const { page } = fixture.store.marketplace
      return {
        ...fixture.store.marketplace,
        page: (...args: Parameters<typeof page>) =>
          down ? Promise.reject(new StoreUnavailable('gone')) : page(...args),
      }
    },
  }
  const ownPrices = new OwnPriceCache({ store })
  await ownPrices.of(organisation)
  down = true
  const registered = registerMarketplace({ ...fixture.marketplace, store, ownPrices }, organisation, {
    name: 'acme',
    entries: [entry()],
  })
  await expect(registered).resolves.toMatchObject({ Status: 'Registered' })
  await expect(ownPrices.of(organisation)).rejects.toThrow(StoreUnavailable)
  down = false
  expect((await ownPrices.of(organisation)).entries).toBe(1)
})

test('a provider registered before its name was reserved can still be listed and removed', async () => {
  const organisation = newOrganisation()
  const { store } = fixture.marketplace
  await store.marketplace.register(organisation, [exampleEntry('old', { provider: 'compute' })])
  expect((await listMarketplace(fixture.marketplace, organisation)).providers).toEqual([
    { provider: 'compute', service: 'compute' },
  ])
  const { entries } = await listMarketplaceEntries(fixture.marketplace, organisation, 'compute', { limit: 5 })
  expect(entries).toHaveLength(1)
  expect(await removeMarketplace(fixture.marketplace, organisation, 'compute')).toEqual({
    Status: 'Removed',
    Entries: 1,
  })
})
