import { connection } from '../api/connection.ts'

const lookEveryMs = 1000

/**
 * Reloads the document if some of its code could not be loaded, as soon as the service responds and nothing that the
 * user entered is lost. To request only that code again is not enough: Chromium before 156 remembers that a file could
 * not be loaded, Vite requests a stylesheet only once, and a new version of the service does not have the same files.
 */
export function reloadIfCodeIsMissing(): void {
  let isPending = false
  addEventListener('input', ({ target }) => {
    const field = target as HTMLElement
    field.dataset.enteredAt = location.pathname
  })
  addEventListener('vite:preloadError', async () => {
    if (isPending) return
    isPending = true
    await reloadWhenPossible()
    isPending = false
  })
}

async function reloadWhenPossible(): Promise<void> {
  const wasAway = await connection.back()
  // If the service was not away and a reload has not helped, another one would not help either.
  if (!wasAway && wasReloaded()) return
  while (isInUse() || !(await connection.isReady())) await moment()
  location.reload()
}

/** What was entered may be lost only when the user has left the page, which discards it in any case. */
const isInUse = (): boolean =>
  document.querySelector(`dialog[open], [data-entered-at="${CSS.escape(location.pathname)}"]`) !== null

const wasReloaded = (): boolean => {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'reload'
}

const moment = () => new Promise((resolve) => setTimeout(resolve, lookEveryMs))
