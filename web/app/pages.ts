import { type ComponentType, lazy } from 'react'
import type { IconName } from '../parts/icon.tsx'
import type { Scope } from './session.ts'

type PageComponent = ComponentType<{ readonly rest: readonly string[] }>

export interface Page {
  /** First segment of its address. */
  readonly name: string
  readonly title: string
  readonly icon: IconName
  readonly scope: Scope
  readonly show: PageComponent
  /** Has its code loaded, so that it opens at once, also while the service is away. */
  readonly fetch: () => Promise<unknown>
}

/** In the order of the menu. */
export const pages: readonly Page[] = [
  page('compare', 'Compare', 'scales', 'pricing:read', () => import('../compare/page.tsx')),
  page('namespaces', 'Namespaces', 'boxes', 'gateway:read', () => import('../namespaces/page.tsx')),
  page('machines', 'Machines', 'server', 'gateway:read', () => import('../machines/page.tsx')),
  page('marketplace', 'Marketplace', 'store', 'pricing:read', () => import('../marketplace/page.tsx')),
  page('catalogue', 'Catalogue', 'book', 'pricing:read', () => import('../catalogue/page.tsx')),
  page('keys', 'Keys', 'key', 'admin', () => import('../keys/page.tsx')),
]

function page(
  name: string,
  title: string,
  icon: IconName,
  scope: Scope,
  fetch: () => Promise<{ default: PageComponent }>,
): Page {
  return { name, title, icon, scope, show: lazy(fetch), fetch }
}
