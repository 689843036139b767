import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startBrowser } from '../peers/browser.ts'
import { eventually, startService } from '../service.ts'

// Takes the pictures of the console for the README, with the shipped catalogue and the demo data.
//   node test/console/screenshot.ts [name of a picture ...]

const pictures: Record<string, { path: string; sign: string }> = {
  overview: { path: '/console/overview', sign: 'Savings' },
  cluster: { path: '/console/workloads/production', sign: 'Nodes now' },
  console: {
    path: '/console/prices/compare?provider=aws&type=m5.xlarge&region=us-east-1&cores=1.5&ram=6',
    sign: 'Price against size',
  },
}

const names = process.argv.slice(2)
const images = join(import.meta.dirname, '../../docs/images')
mkdirSync(images, { recursive: true })

const [service, browser] = await Promise.all([startService({}), startBrowser()])
try {
  const { key } = (await service.request('/admin/demo', { method: 'POST' })).json
  await eventually(async () => (await service.request('/admin/demo')).json.loaded_until !== null)
  const context = await browser.context({
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  await page.goto(service.url)
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('main#content').waitFor()
  for (const [name, { path, sign }] of Object.entries(pictures)) {
    if (names.length > 0 && !names.includes(name)) continue
    await page.goto(service.url + path)
    await page.locator('main#content').getByText(sign).first().waitFor()
    await page.waitForLoadState('networkidle')
    const target = join(images, `${name}.png`)
    await page.screenshot({ path: target })
    console.log(`${target}: ${Math.ceil(statSync(target).size / 1024)} KiB`)
  }
} finally {
  await browser.close()
  await service.stop()
}
