import { type ComponentType, lazy } from 'react'
import type { IconName } from '../parts/icon.tsx'
import type { Scope } from './session.ts'

export interface Page {
  /** First segment of its address. */
  readonly name: string
  readonly title: string
  readonly icon: IconName
  readonly scope: Scope
  readonly show: ComponentType<{ readonly rest: readonly string[] }>
}

/** In the order of the menu. */
export const pages: readonly Page[] = [
  {
    name: 'compare',
    title: 'Compare',
    icon: 'scales',
    scope: 'pricing:read',
    show: lazy(() => import('../compare/page.tsx')),
  },
  {
    name: 'namespaces',
    title: 'Namespaces',
    icon: 'boxes',
    scope: 'gateway:read',
    show: lazy(() => import('../namespaces/page.tsx')),
  },
  {
    name: 'machines',
    title: 'Machines',
    icon: 'server',
    scope: 'gateway:read',
    show: lazy(() => import('../machines/page.tsx')),
  },
  {
    name: 'marketplace',
    title: 'Marketplace',
    icon: 'store',
    scope: 'pricing:read',
    show: lazy(() => import('../marketplace/page.tsx')),
  },
  {
    name: 'catalogue',
    title: 'Catalogue',
    icon: 'book',
    scope: 'pricing:read',
    show: lazy(() => import('../catalogue/page.tsx')),
  },
  { name: 'keys', title: 'Keys', icon: 'key', scope: 'admin', show: lazy(() => import('../keys/page.tsx')) },
]
