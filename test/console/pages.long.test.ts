import { afterAll, beforeAll, describe, expect } from 'vitest'
import {
  type Bench,
  checkAccessible,
  checkFits,
  checkInBothThemes,
  lastDays,
  type OpenConsole,
  picture,
  soon,
  startBench,
  test,
  visit,
} from './console.ts'
import { checkInWindow, dialogs, openDialog } from './dialogs.case.ts'
import { checkMachines, checkNamespaces } from './gateway.case.ts'
import { checkDialogByKeyboard, checkTabOrder } from './keyboard.case.ts'
import { checkLarge } from './large.case.ts'
import { createOrganisations, type Organisation, type OrganisationKeys } from './organisations-fixture.ts'
import { listedPages, visitWhole } from './page-list.ts'
import { checkRisk } from './risk.case.ts'
import { checkStates } from './states.case.ts'
import { wavesOf } from './waterfall.case.ts'

let bench: Bench
let keys: OrganisationKeys
beforeAll(async () => {
  bench = await startBench()
  keys = await createOrganisations(bench)
})
afterAll(() => bench?.stop())

const desktop = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
const sizes = [
  ['desktop', desktop],
  ['phone', phone],
] as const

const inTurn = { concurrent: false }

// Each size has its own windows, one for each organisation, in which pages are opened one after the other.
describe.concurrent.each(sizes)('%s', (size, options) => {
  const opened = new Map<Organisation, OpenConsole>()
  const windowOf = async (of: Organisation): Promise<OpenConsole> => {
    const known = opened.get(of) ?? (await bench.open('/console/help', keys[of], options))
    opened.set(of, known)
    return known
  }
  afterAll(async () => {
    for (const each of opened.values()) await each.close()
  })
  const check = async ({ page, complaints }: OpenConsole, name: string, what: 'page' | 'window') => {
    await checkFits(page)
    await checkInBothThemes(page, `${name}-${size}`, what)
    expect(complaints).toEqual([])
  }

  test('the sign-in page', inTurn, async () => {
    const signingIn = await bench.open('/', undefined, options)
    await signingIn.page.getByLabel('API key').waitFor()
    await check(signingIn, 'sign-in', 'page')
    await signingIn.close()
  })

  test.each(listedPages)('$name: complete and accessible, in light and dark', inTurn, async (listed) => {
    const window = await windowOf(listed.of)
    await visitWhole(window.page, listed)
    await check(window, listed.name, 'page')
  })

  test.each(dialogs)('%s opens over its page, all of it in the window', inTurn, async (...dialog) => {
    const window = await windowOf(dialog[1])
    await openDialog(window.page, dialog)
    await check(window, `dialog-${dialog[0]}`, 'window')
    await checkInWindow(window.page)
    await window.page.keyboard.press('Escape')
  })
})

describe('interactions', () => {
  let opened: OpenConsole
  beforeAll(async () => {
    opened = await bench.open('/console/machines', keys.small)
  })
  afterAll(() => opened?.close())

  // In the first week sizes are cut half of the way whatever the risk, so that these need a longer history than they have.
  const needsWeek = /^(safer sizes are larger|a risk as a number)/
  const checks = [...checkNamespaces, ...checkRisk].filter(([name]) => !needsWeek.test(name))
  test.each(checks)('namespaces: %s', async (_, check) => {
    await check(opened.page)
    expect(opened.complaints).toEqual([])
  })
  test.each(checkMachines)('machines: %s', async (_, check) => {
    await check(opened.page)
    expect(opened.complaints).toEqual([])
  })
})

describe('every page', () => {
  let opened: Record<'small' | 'demo', OpenConsole>
  beforeAll(async () => {
    const [small, demo] = await Promise.all(
      (['small', 'demo'] as const).map((of) => bench.open('/console/help', keys[of], desktop)),
    )
    opened = { small: small!, demo: demo! }
  })
  afterAll(() => Promise.all(Object.values(opened).map((each) => each.close())))
  const pages = listedPages.filter(({ of }) => of !== 'large')
  const pageOf = ({ of }: { of: Organisation }) => opened[of as 'small' | 'demo'].page

  test.each(pages)('$name: every control is reached with Tab', async (listed) => {
    await visitWhole(pageOf(listed), listed)
    await checkTabOrder(pageOf(listed))
  })

  test.each([
    ['settings', 'Add a sizing rule'],
    ['settings/keys', 'Issue a key'],
    ['prices/yours', 'Upload prices'],
  ])('a dialog of %s, with only the keyboard', async (path, button) => {
    await visit(opened.small.page, `/console/${path}`)
    await checkDialogByKeyboard(opened.small.page, button)
  })

  // These two pages request no data.
  const asking = pages.filter(({ name }) => name !== 'reviews' && name !== 'help')
  test.each(asking)('$name: waiting, failed, retried', (listed) => checkStates(pageOf(listed), listed))

  test.each(pages)('$name: no request waits for more than one other', async (listed) => {
    const waves = await wavesOf(pageOf(listed), bench.service.url + listed.path)
    expect(waves.length, JSON.stringify(waves)).toBeLessThanOrEqual(2)
  })
})

test('500 namespaces, and 1,000 containers in one: totals equal those of the API, and every row is found', async () => {
  const { page, complaints, close } = await bench.open('/console/workloads', keys.large)
  const ask = async (path: string) => (await bench.service.request(path, { key: keys.large })).json
  await checkLarge(page, ask, lastDays(14))
  expect(complaints).toEqual([])
  await close()
})

const ofUsage = listedPages.filter(({ name }) => /^(?:namespace|machine|costs)/.test(name))

test.each([360, 320])('on a phone of %i pixels tables of usage are not cut', async (width) => {
  const options = { ...phone, viewport: { width, height: 780 } }
  for (const [of, listed] of Map.groupBy(ofUsage, (each) => each.of)) {
    const { page, close } = await bench.open('/console/help', keys[of], options)
    for (const each of listed) {
      await visitWhole(page, each)
      await checkFits(page)
      await picture(page, `${each.name}-${width}`)
    }
    await close()
  }
})

test('on a phone the menu opens, and closes after a page was chosen', async () => {
  const { page, close } = await bench.open('/console/keys', keys.small, phone)
  const menu = page.getByRole('button', { name: 'Menu' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await menu.click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await checkAccessible(page)
  await checkFits(page)
  await picture(page, 'menu-phone', 'window')
  await page.getByRole('link', { name: 'Catalogue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor()
  await expect.poll(() => menu.getAttribute('aria-expanded'), soon).toBe('false')
  await close()
})

test('without any data: what to do next, with commands to copy', async () => {
  const { page, close } = await bench.open('/console/namespaces', keys.empty)
  await page.getByText('No container usage yet').waitFor()
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`${bench.service.url}/api/v1/write`)
  for (const [path, sign] of [
    ['workloads', 'No container usage yet'],
    ['machines', 'No machine reports usage yet'],
    ['prices/yours', 'You have not uploaded prices'],
    ['recommendations', 'Nothing to recommend here'],
    ['costs', 'No cost in this period'],
    ['settings', 'Nothing has sent usage yet'],
    ['overview', 'Connect your usage'],
  ] as const) {
    await visit(page, `/console/${path}`)
    await page.getByText(sign).waitFor()
    await checkAccessible(page)
    await picture(page, `${path.replace('/', '-')}-empty`)
  }
  await close()
})
