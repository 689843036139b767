import { expect, test } from 'vitest'
import { findProvider } from '../../providers/providers.ts'
import { readMarketplaceCsv } from './marketplace-csv.ts'

const header = 'instance_type,region,cost_per_hour,cpu_cores,ram_gb'
const read = (text: string, name: string | undefined = 'acme') =>
  readMarketplaceCsv(text, { findProvider, ...(name === '' ? {} : { name }) })
const badOf = (text: string, name?: string) =>
  read(text, name).bad.map(({ line, column, message }) => `${line} ${column}: ${message}`)

test('lines become entries, empty fields are left out', () => {
  const text = `${header},operating_system,raw_pricing_data\na1,r1,0.05,2,4,,"{""sku"": ""x""}"\nb1,r1,1e-1,4,8.5,windows,\n`
  expect(read(text)).toEqual({
    calls: [
      {
        name: 'acme',
        entries: [
          {
            instance_type: 'a1',
            region: 'r1',
            cost_per_hour: 0.05,
            cpu_cores: 2,
            ram_gb: 4,
            raw_pricing_data: { sku: 'x' },
          },
          {
            instance_type: 'b1',
            region: 'r1',
            cost_per_hour: 0.1,
            cpu_cores: 4,
            ram_gb: 8.5,
            operating_system: 'windows',
          },
        ],
      },
    ],
    lines: 2,
    bad: [],
    headerIsBad: false,
    ignoredColumns: [],
  })
})

test.each([
  ['semicolons', 'instance_type;region;cost_per_hour;cpu_cores;ram_gb\na;r;1;2;3'],
  ['tabs and CRLF', 'instance_type\tregion\tcost_per_hour\tcpu_cores\tram_gb\r\na\tr\t1\t2\t3\r\n'],
  [
    'a byte order mark, capitals, blanks',
    '\ufeffInstance_Type, REGION ,cost_per_hour,cpu_cores,ram_gb\n a , r ,1, 2,3 ',
  ],
  ['empty lines', `\n${header}\n\na,r,1,2,3\n\n`],
])('%s', (_, text) => {
  const { calls, bad } = read(text)
  expect(bad).toEqual([])
  expect(calls[0]!.entries[0]).toEqual({
    instance_type: 'a',
    region: 'r',
    cost_per_hour: 1,
    cpu_cores: 2,
    ram_gb: 3,
  })
})

test.each<[string, string, string[]]>([
  ['no number', 'a,r,1;5,2,3', ['2 cost_per_hour: must be a number']],
  ['NaN', 'a,r,NaN,2,3', ['2 cost_per_hour: must be a number']],
  ['a hexadecimal number', 'a,r,0x10,2,3', ['2 cost_per_hour: must be a number']],
  ['negative', 'a,r,-1,2,3', ['2 cost_per_hour: must not be negative']],
  ['endless', 'a,r,1e999,2,3', ['2 cost_per_hour: must not be above 1000000']],
  [
    'several at once',
    ',r,1,0,',
    ['2 instance_type: is required', '2 cpu_cores: must be above zero', '2 ram_gb: is required'],
  ],
  ['too few fields', 'a,r,1,2', ['2 : has 4 fields, the header has 5']],
  [
    'the same twice',
    'a,r,1,2,3\nb,r,1,2,3\na,r,2,2,3',
    ['4 : is for the same machine, place and usage type as line 2'],
  ],
  [
    'base',
    'base,r,1,2,3',
    ['2 instance_type: must not be "base", which names the current instance in answers'],
  ],
])('bad: %s', (_, lines, expected) => {
  expect(badOf(`${header}\n${lines}\n`).toSorted()).toEqual(expected.toSorted())
})

test('valid lines next to invalid ones can still be sent', () => {
  const { calls, bad, lines } = read(`${header}\na,r,1,2,3\nb,r,x,2,3\nc,r,1,2,3\n`)
  expect(calls.flatMap(({ entries }) => entries.map((entry) => entry.instance_type))).toEqual(['a', 'c'])
  expect([bad.length, lines]).toEqual([1, 3])
})

test.each<[string, string, string[], string[], number]>([
  ['last', 'a,r,1,2,3\nb,r,x,2,3\n"c,r,1,2,3', ['a'], ['3 cost_per_hour', '4 '], 3],
  ['first', '"a,r,1,2,3\nb,r,x,2,3\nc,r,1,2,3', ['c'], ['2 ', '3 cost_per_hour'], 3],
  ['before a quoted field', '"a,r,1,2,3\n"b",r,1,2,3\nc,r,1,2,3', ['b', 'c'], ['2 '], 3],
])('an unclosed quote affects only its line: %s', (_, rows, good, places, count) => {
  const { calls, bad, lines } = read(`${header}\n${rows}\n`)
  expect(calls.flatMap(({ entries }) => entries.map((entry) => entry.instance_type))).toEqual(good)
  expect(bad.map(({ line, column }) => `${line} ${column}`)).toEqual(places)
  expect(lines).toBe(count)
})

test('line numbers are correct after a field with line breaks', () => {
  const text = `${header},service\na,r,1,2,3,"one\ntwo"\nb,r,x,2,3,s\n`
  expect(badOf(text)).toEqual([
    '2 service: must not contain control characters or half a surrogate pair',
    '4 cost_per_hour: must be a number',
  ])
})

test('the header', () => {
  expect(badOf('instance_type,region,cpu_cores,cpu_cores,ram_gb\n')).toEqual([
    '1 cost_per_hour: is missing from the header line',
    '1 cpu_cores: appears twice in the header line',
  ])
  expect(read(`${header},colour\na,r,1,2,3,red`).ignoredColumns).toEqual(['colour'])
  expect(badOf('')).toHaveLength(5)
  expect(badOf(`"${header}\na,r,1,2,3`)).toEqual(['1 : opens a quote that is not closed'])
  expect([read(header).headerIsBad, read('a,b').headerIsBad]).toEqual([false, true])
})

test('without a name each line must have a provider', () => {
  const text = `provider,${header}\nacme,a,r,1,2,3\nother,a,r,1,2,3\nAmazon Web Services,a,r,1,2,3\n,a,r,1,2,3\n`
  const { calls, bad } = read(text, '')
  expect(calls.map(({ name, entries }) => [name, entries.length])).toEqual([
    ['acme', 1],
    ['other', 1],
  ])
  expect(bad.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '4 must not be a name of the built-in provider AWS',
    '5 must not be blank',
  ])
})

test('a long file is sent in several calls', () => {
  const lines = Array.from({ length: 10_001 }, (_, i) => `t${i},r,1,2,3`)
  expect(read([header, ...lines].join('\n')).calls.map(({ entries }) => entries.length)).toEqual([10_000, 1])
})
