import { expect, test } from 'vitest'
import { movedTo, pageAt, pages, windowTitle } from './pages.ts'

test('every page has its own address', () => {
  const paths = pages.map(({ path }) => path)
  expect(new Set(paths).size).toBe(paths.length)
  for (const path of paths) expect(pageAt(path.split('/'))).toMatchObject({ page: { path }, rest: [] })
})

test.each([
  [['workloads', 'prod', 'shop'], 'workloads', ['prod', 'shop']],
  [['prices', 'yours', 'our racks'], 'prices/yours', ['our racks']],
  [['prices'], undefined, []],
  [['nothing'], undefined, []],
  [[], undefined, []],
])('%j', (segments, path, rest) => {
  const found = pageAt(segments)
  expect([found?.page.path, found?.rest ?? []]).toEqual([path, rest])
})

test.each([
  [
    ['namespaces', 'prod', 'a/b'],
    ['workloads', 'prod', 'a/b'],
  ],
  [['compare'], ['prices', 'compare']],
  [['keys'], ['settings', 'keys']],
  [['workloads'], undefined],
  [['constructor'], undefined],
])('the earlier address %j', (segments, now) => {
  expect(movedTo(segments)).toEqual(now)
})

test.each([
  [['workloads'], 'Workloads · Cheapside'],
  [['workloads', 'prod', 'shop'], 'shop · Workloads · Cheapside'],
  [['prices', 'types', 'aws', 'm5.xlarge'], 'm5.xlarge · Instance types · Cheapside'],
  [['nothing'], 'Cheapside'],
])('the window of %j has the title %j', (segments, title) => {
  const found = pageAt(segments)
  expect(windowTitle(found?.page, found?.rest ?? [])).toBe(title)
})
