import { expect, test } from 'vitest'
import { readMarketplaceCsv } from '../../pricing/own-prices/marketplace-csv.ts'
import { renderBadLines, renderCalls } from './csv-import.ts'

const header = 'instance_type,region,cost_per_hour,cpu_cores,ram_gb'
const read = (text: string) => readMarketplaceCsv(text, { name: 'acme', findProvider: () => undefined })

test('bad lines are listed with their numbers', () => {
  const found = read(`${header},colour\na,r,1,2,3,red\nb,r,x,0,3,\nc,r,1\n`)
  expect(renderBadLines(found)).toBe(`Ignored columns: colour.
2 invalid lines of 3:
line 3  cost_per_hour  must be a number
line 3  cpu_cores      must be above zero
line 4                 has 3 fields, the header has 6
`)
  expect(renderCalls(found, false)).toBe('Registered 1 entry of acme.\n')
})

test('a bad header does not count as a line of prices', () => {
  expect(renderBadLines(read('instance_type,region,cost_per_hour,cpu_cores\na,r,1,2\n'))).toBe(
    `The header line is invalid, so no other line was read:
line 1  ram_gb  is missing from the header line
`,
  )
})

test('a valid file has no report', () => {
  const found = read(`${header}\na,r,1,2,3\nb,r,1,2,3\n`)
  expect(renderBadLines(found)).toBe('')
  expect(renderCalls(found, true)).toBe('Checked 2 entries of acme.\nNothing was registered.\n')
  expect(renderCalls(read(header), false)).toBe('Nothing to register.\n')
})

test('a long list of faults is shortened', () => {
  const text = renderBadLines(read(`${header}\n${'a,r,x,2,3\n'.repeat(200)}`))
  expect(text.split('\n')).toHaveLength(1 + 50 + 1 + 1)
  expect(text).toContain('and 150 more')
})
