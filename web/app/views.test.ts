import { afterAll, beforeAll, expect, test, vi } from 'vitest'

let views: typeof import('./views.ts')
const stored = new Map<string, string>()
const tab = new EventTarget()
beforeAll(async () => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
  })
  vi.stubGlobal('addEventListener', tab.addEventListener.bind(tab))
  views = await import('./views.ts')
})
afterAll(() => void vi.unstubAllGlobals())

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
  expect(views.readViews(text)).toHaveLength(count)
})

test('views that another tab has saved are kept and shown', () => {
  const names = () => views.savedViews.get().map(({ name }) => name)
  views.addView('mine', '/console/costs')
  const other = { name: 'theirs', address: '/console/machines' }
  stored.set('cheapside-views', JSON.stringify([...views.savedViews.get(), other]))
  tab.dispatchEvent(Object.assign(new Event('storage'), { key: 'cheapside-views' }))
  expect(names()).toEqual(['mine', 'theirs'])

  stored.set('cheapside-views', JSON.stringify([...views.savedViews.get(), { ...other, name: 'later' }]))
  views.addView('last', '/console/keys')
  expect(names()).toEqual(['mine', 'theirs', 'later', 'last'])
  views.removeView('theirs')
  expect(JSON.parse(stored.get('cheapside-views')!)).toEqual(views.savedViews.get())
  expect(names()).toEqual(['mine', 'later', 'last'])
})
