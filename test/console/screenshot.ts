import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startBrowser } from '../peers/browser.ts'
import { startService } from '../service.ts'

// Takes the screenshot of the console for the README, with the shipped catalogue.
//   node test/console/screenshot.ts [path of the console] [file in docs/images]

const [
  path = '/console/prices/compare?provider=aws&type=m5.xlarge&region=us-east-1&cores=1.5&ram=6',
  file = 'console.png',
] = process.argv.slice(2)
const images = join(import.meta.dirname, '../../docs/images')
mkdirSync(images, { recursive: true })

const [service, browser] = await Promise.all([startService({}), startBrowser()])
try {
  const context = await browser.context({
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  await page.goto(service.url + path)
  await page.getByLabel('API key').fill(service.key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('main#content').waitFor()
  await page.getByText('Price against size').waitFor()
  await page.waitForLoadState('networkidle')
  const target = join(images, file)
  await page.screenshot({ path: target })
  console.log(`${target}: ${Math.ceil(statSync(target).size / 1024)} KiB`)
} finally {
  await browser.close()
  await service.stop()
}
