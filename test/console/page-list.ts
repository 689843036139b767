import type { Page } from 'playwright-core'
import { visit } from './console.ts'
import { longNamespace } from './large-organisation.ts'
import type { Organisation } from './organisations-fixture.ts'

export interface ListedPage {
  readonly name: string
  readonly of: Organisation
  readonly path: string
  readonly heading: string
  /** Text that the page shows when it has loaded completely. */
  readonly sign: RegExp
}

const page = (name: string, of: Organisation, path: string, heading: string, sign: RegExp): ListedPage => ({
  name,
  of,
  path: `/console/${path}`,
  heading,
  sign,
})

const m5 = 'prices/compare?provider=aws&type=m5.xlarge&region=us-east-1&cores=1.5&ram=6'

/** Every page of the console, for organisations with little and with much data. */
export const listedPages: readonly ListedPage[] = [
  page('overview', 'demo', 'overview', 'Overview', /Top recommendations/),
  page('overview-large', 'large', 'overview', 'Overview', /Top recommendations/),
  page('recommendations', 'demo', 'recommendations', 'Recommendations', /Possible savings/),
  page('recommendations-large', 'large', 'recommendations', 'Recommendations', /Show more/),
  page('costs', 'demo', 'costs?days=30', 'Costs', /sandbox/),
  page('costs-large', 'large', 'costs?days=1', 'Costs', /492 others/),
  page('namespaces', 'demo', 'workloads', 'Workloads', /payments-staging/),
  page('namespaces-large', 'large', 'workloads', 'Workloads', /of 500/),
  page('namespace', 'small', 'workloads/prod/shop?estimates=shown', 'shop', /kubectl apply/),
  page('namespace-long', 'large', `workloads/west/${longNamespace}`, longNamespace, /kubectl apply/),
  page('container', 'small', 'workloads/prod/shop/Deployment/web/app', 'app', /Usage over time/),
  page('machines', 'demo', 'machines', 'Machines', /db-primary/),
  page('machine', 'small', 'machines/build-7', 'build-7', /systemd-journald/),
  page('volumes', 'demo', 'volumes', 'Volumes', /data-ledger-0/),
  page('cluster', 'demo', 'workloads/production', 'production', /Nodes now/),
  page('compare-first', 'small', 'prices/compare', 'Compare', /from \$/),
  page('compare', 'small', m5, 'Compare', /Price against/),
  page('types', 'small', 'prices/types', 'Instance types', /Load more/),
  page('type', 'small', 'prices/types/aws/m5.xlarge', 'm5.xlarge', /Cheaper comparable machines/),
  page('marketplace', 'small', 'prices/yours', 'Your prices', /our-cellar/),
  page('marketplace-prices', 'small', 'prices/yours/our-cellar', 'our-cellar', /roomy-8/),
  page('catalogue', 'small', 'prices/catalogue', 'Catalogue', /Quarantined prices/),
  page('reviews', 'small', 'reviews', 'Reviews', /Drop a plan here/),
  page('settings', 'small', 'settings', 'Settings', /Usage is kept for/),
  page('keys', 'small', 'settings/keys', 'Keys', /reading-room/),
  page('help', 'small', 'help?call=GET+/v1/regions', 'Help', /Send GET/),
]

/** Opens a page and waits until it has loaded completely. */
export async function visitWhole(at: Page, { path, heading, sign }: ListedPage): Promise<void> {
  await visit(at, path)
  await at.locator('h1', { hasText: heading }).waitFor()
  await at.locator('main').getByText(sign).locator('visible=true').first().waitFor()
  await waitForAll(at)
}

export const waitForAll = (at: Page): Promise<void> =>
  at.locator('.skeleton, .progress, .chart[data-ready=false]').first().waitFor({ state: 'hidden' })
