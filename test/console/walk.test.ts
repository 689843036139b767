import { afterAll, beforeAll, expect } from 'vitest'
import { type Bench, checkAccessible, checkFits, type OpenConsole, startBench, test } from './console.ts'
import { createSmall } from './organisations-fixture.ts'
import { listedPages, visitWhole } from './page-list.ts'

// A walk through the pages of one organisation. The long tests do it at every size, in both themes, with little and much data.

let bench: Bench
let opened: OpenConsole
beforeAll(async () => {
  bench = await startBench()
  await createSmall(bench)
  opened = await bench.open('/', bench.service.key)
})
afterAll(() => bench?.stop())

test.each(listedPages.filter(({ of }) => of === 'small'))(
  '$name: complete and accessible',
  async (listed) => {
    await visitWhole(opened.page, listed)
    await checkFits(opened.page)
    await checkAccessible(opened.page)
    expect(opened.complaints).toEqual([])
  },
)
