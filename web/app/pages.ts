import { type ComponentType, lazy } from 'react'
import { fetchedWhenBack } from '../api/connection.ts'
import type { Scope } from '../api/session.ts'
import type { IconName } from '../parts/icon.tsx'

type PageComponent = ComponentType<{ readonly rest: readonly string[] }>

export interface Page {
  /** The address: segments joined by slashes. The page itself interprets what follows in an address. */
  readonly path: string
  readonly title: string
  readonly icon: IconName
  readonly scope: Scope | 'any'
  readonly show: PageComponent
  /** Loads the code of the page, so that it opens immediately, even while the service is away. */
  readonly fetch: () => Promise<unknown>
  /** The menu shows pages of one group together, under its name. */
  readonly group?: 'Prices'
  /** The choices that the bar above the page offers. */
  readonly bar?: 'cluster' | 'dates' | 'cluster and dates'
  /** Set if amounts cover the period; otherwise they are per month. */
  readonly money?: 'period'
}

/** In the order of the menu. */
export const pages: readonly Page[] = [
  page('overview', 'Overview', 'home', 'gateway:read', () => import('../overview/page.tsx'), {
    bar: 'cluster and dates',
  }),
  page(
    'recommendations',
    'Recommendations',
    'bulb',
    'gateway:read',
    () => import('../recommendations/page.tsx'),
    {
      bar: 'cluster',
    },
  ),
  page('costs', 'Costs', 'chart', 'gateway:read', () => import('../costs/page.tsx'), {
    bar: 'cluster and dates',
    money: 'period',
  }),
  page('workloads', 'Workloads', 'boxes', 'gateway:read', () => import('../namespaces/page.tsx'), {
    bar: 'cluster and dates',
  }),
  page('machines', 'Machines', 'server', 'gateway:read', () => import('../machines/page.tsx'), {
    bar: 'dates',
  }),
  page('volumes', 'Volumes', 'disk', 'gateway:read', () => import('../volumes/page.tsx'), { bar: 'cluster' }),
  page('prices/compare', 'Compare', 'scales', 'pricing:read', () => import('../compare/page.tsx'), {
    group: 'Prices',
  }),
  page('prices/types', 'Instance types', 'list', 'pricing:read', () => import('../types/page.tsx'), {
    group: 'Prices',
  }),
  page('prices/yours', 'Your prices', 'store', 'pricing:read', () => import('../marketplace/page.tsx'), {
    group: 'Prices',
  }),
  page('prices/catalogue', 'Catalogue', 'book', 'pricing:read', () => import('../catalogue/page.tsx'), {
    group: 'Prices',
  }),
  page('reviews', 'Reviews', 'document', 'pricing:read', () => import('../reviews/page.tsx')),
  page('settings', 'Settings', 'gear', 'any', () => import('../settings/page.tsx')),
  page('settings/keys', 'Keys', 'key', 'admin', () => import('../keys/page.tsx')),
  page('help', 'Help', 'help', 'any', () => import('../help/page.tsx')),
]

/** Addresses of earlier versions that users may have bookmarked. */
const moved: Readonly<Record<string, readonly string[]>> = {
  compare: ['prices', 'compare'],
  namespaces: ['workloads'],
  marketplace: ['prices', 'yours'],
  catalogue: ['prices', 'catalogue'],
  keys: ['settings', 'keys'],
}

/** Returns the new address of a page of an earlier version, or undefined if the address is not one. */
export function movedTo(segments: readonly string[]): string[] | undefined {
  const [first = '', ...rest] = segments
  return Object.hasOwn(moved, first) ? [...moved[first]!, ...rest] : undefined
}

/** Returns the page with the longest path that matches an address, and the rest of the address. */
export function pageAt(
  segments: readonly string[],
  among: readonly Page[] = pages,
): { page: Page; rest: string[] } | undefined {
  const depths = Array.from(segments, (_, i) => segments.length - i)
  for (const depth of depths) {
    const path = segments.slice(0, depth).join('/')
    const page = among.find((each) => each.path === path)
    if (page !== undefined) return { page, rest: segments.slice(depth) }
  }
  return undefined
}

/** Returns the title of the browser's window, with the name of what a page shows in detail. */
export const windowTitle = (page: Page | undefined, rest: readonly string[]): string =>
  [...rest.slice(-1), ...(page === undefined ? [] : [page.title]), 'Cheapside'].join(' · ')

export const mayOpen = ({ scope }: Page, scopes: readonly Scope[]): boolean =>
  scope === 'any' || scopes.includes(scope)

function page(
  path: string,
  title: string,
  icon: IconName,
  scope: Page['scope'],
  fetch: () => Promise<{ default: PageComponent }>,
  more: Pick<Page, 'group' | 'bar' | 'money'> = {},
): Page {
  return { path, title, icon, scope, show: lazy(() => fetchedWhenBack(fetch)), fetch, ...more }
}
