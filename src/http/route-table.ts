import type { RouteOptions } from 'fastify'

export interface RouteEntry {
  readonly method: string
  readonly url: string
  readonly route: RouteOptions
  readonly pattern: RegExp
}

/** Every route as it was registered: for 405 and for the API document. */
export class RouteTable {
  readonly entries: RouteEntry[] = []

  add(route: RouteOptions): void {
    if (route.config?.scope === undefined) {
      throw new Error(`route ${route.method} ${route.url} does not say which scope it needs`)
    }
    const source = route.url
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace('\\*', '.*')
      .replace(/:\w+/g, '[^/]+')
    for (const method of [route.method].flat()) {
      this.entries.push({ method, url: route.url, route, pattern: new RegExp(`^${source}$`) })
    }
  }

  /** Methods that an address takes, sorted; none where there is nothing. */
  methodsAt(path: string): string[] {
    return [
      ...new Set(this.entries.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
    ].sort()
  }
}
