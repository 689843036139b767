import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { soon } from './console.ts'

/**
 * Checks that the tab key reaches everything that can be used, and that each element shows its focus. A group of radio
 * buttons is one stop.
 */
export async function checkTabOrder(page: Page): Promise<void> {
  const expected = (await page.evaluate(watchFocus)) as string[]
  const tabbed = () =>
    page.evaluate('globalThis.tabbed') as Promise<{ reached: string[]; unmarked: string[] }>
  const missed = async () => {
    const { reached } = await tabbed()
    return expected.filter((each) => !reached.includes(each))
  }
  // One round, and a second one if the browser adds its own stops, such as areas that scroll.
  for (let round = 0; round < 2 && (round === 0 || (await missed()).length > 0); round++)
    for (let step = 0; step < expected.length + 2; step++) await page.keyboard.press('Tab')
  expect((await tabbed()).unmarked).toEqual([])
  expect(await missed()).toEqual([])
}

// This code is text because it runs in the page, and the types of browsers are not available in the tests.
const watchFocus = `(() => {
  const can = 'a[href], button, input, select, textarea, summary, [tabindex="0"]'
  const isSeen = (of) => of.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false })
  const isStop = (of) =>
    !of.disabled && of.tabIndex >= 0 && isSeen(of) && !of.closest('details:not([open]) > :not(summary)')
  const all = [...document.querySelectorAll(can)].filter(isStop)
  const first = new Map()
  const stops = all.filter((of) => {
    if (of.type !== 'radio') return true
    const group = [...document.querySelectorAll('input[type=radio][name="' + of.name + '"]')]
    const stop = group.find(({ checked }) => checked) ?? group[0]
    return stop === of
  })
  const nameOf = (of) => stops.indexOf(of) + ' ' + of.outerHTML.slice(0, 90)
  const tabbed = { reached: [], unmarked: [] }
  globalThis.tabbed = tabbed
  document.activeElement?.blur()
  addEventListener('focusin', ({ target }) => {
    const name = nameOf(target)
    tabbed.reached.push(name)
    const isMarked = [target, target.nextElementSibling, target.parentElement].some((of) => {
      const style = of && getComputedStyle(of)
      return style && ((style.outlineStyle !== 'none' && style.outlineWidth !== '0px') || style.boxShadow !== 'none')
    })
    if (!isMarked) tabbed.unmarked.push(name)
  })
  return stops.map(nameOf)
})()`

/**
 * Opens, tabs through and closes a dialog with the keyboard. The focus must stay inside, and return to the button
 * afterwards.
 */
export async function checkDialogByKeyboard(page: Page, button: string): Promise<void> {
  const opener = page.locator('main').getByRole('button', { name: button }).first()
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.locator('dialog[open]')
  await dialog.waitFor()
  for (let step = 0; step < 12; step++) {
    await page.keyboard.press('Tab')
    // Between the last and the first element, the browser itself has the focus.
    expect(
      await page.evaluate(
        "document.activeElement.closest('dialog') !== null || document.activeElement === document.body",
      ),
    ).toBe(true)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate('document.activeElement.textContent'), soon).toContain(button)
}
