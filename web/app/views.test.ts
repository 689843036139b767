import { beforeAll, expect, test, vi } from 'vitest'

let readViews: typeof import('./views.ts').readViews
beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => null })
  readViews = (await import('./views.ts')).readViews
})

test.each([
  ['[{"name":"a","address":"/console/workloads?days=7"}]', 1],
  ['[{"name":"a","address":"https://evil.example/"}]', 0],
  ['[{"name":"a","address":"//evil.example/console"}]', 0],
  ['[{"name":"a","address":"javascript:alert(1)"}]', 0],
  ['[{"name":1,"address":"/console"}, null, 7, "x"]', 0],
  ['{"name":"a"}', 0],
  ['not JSON', 0],
  [null, 0],
])('%s', (text, count) => {
  expect(readViews(text)).toHaveLength(count)
})
