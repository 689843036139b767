import { useSyncExternalStore } from 'react'

export interface Place {
  /** Segments after /console, decoded. */
  readonly segments: readonly string[]
  readonly params: URLSearchParams
}

const moved = new EventTarget()
const root = '/console'

/** Returns the current address. It contains everything that a page shows, so that it can be shared. */
export function usePlace(): Place {
  return useSyncExternalStore(follow, placeNow)
}

export function placeNow(): Place {
  const address = location.pathname + location.search
  if (last.address !== address) last = { address, place: parsePlace(location.pathname, location.search) }
  return last.place
}

export function parsePlace(path: string, search: string): Place {
  const rest = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : ''
  const segments = rest.split('/').filter((segment) => segment !== '')
  return { segments: segments.map(decoded), params: new URLSearchParams(search) }
}

/** Returns an address within the console. */
export function addressOf(
  segments: readonly string[],
  params: URLSearchParams = new URLSearchParams(),
): string {
  const query = params.toString()
  return `${[root, ...segments.map(encodeURIComponent)].join('/')}${query === '' ? '' : `?${query}`}`
}

export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', address)
  else history.replaceState(null, '', address)
  moved.dispatchEvent(new Event('moved'))
}

/** Changes parameters of the address and keeps the rest; undefined removes one. */
export function setParams(
  changes: Readonly<Record<string, string | readonly string[] | undefined>>,
  how: 'push' | 'replace',
): void {
  const { segments, params } = placeNow()
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name)
    for (const each of typeof value === 'string' ? [value] : (value ?? [])) next.append(name, each)
  }
  const address = addressOf(segments, next)
  if (address !== addressOf(segments, params)) go(address, how)
}

let last = { address: '', place: { segments: [], params: new URLSearchParams() } as Place }

function follow(follower: () => void): () => void {
  addEventListener('popstate', follower)
  moved.addEventListener('moved', follower)
  return () => {
    removeEventListener('popstate', follower)
    moved.removeEventListener('moved', follower)
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
