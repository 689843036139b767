import { Superseded } from '../usage/port.ts'
import type { Leases } from './port.ts'

const renewalsPerLease = 4

/**
 * Runs the work while it holds the lease, which is renewed until then; returns undefined if another holder has it. `lost` aborts if
 * another holder takes it over. If the process dies, the lease expires soon.
 */
export async function withLease<Result>(
  leases: Leases,
  name: string,
  { ttlMs, holder = crypto.randomUUID() }: { readonly ttlMs: number; readonly holder?: string },
  work: (lost: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const acquire = () => leases.acquire(name, holder, ttlMs)
  if (!(await acquire())) return undefined
  const lost = new AbortController()
  let latest = Promise.resolve()
  const timer = setInterval(() => {
    // A failed renewal is tried again at the next interval; otherwise the lease expires.
    latest = acquire().then(
      (isOurs) => {
        if (!isOurs) lost.abort(new Superseded(`another process took over ${name}`))
      },
      () => {},
    )
  }, ttlMs / renewalsPerLease).unref()
  try {
    return await work(lost.signal)
  } finally {
    clearInterval(timer)
    // A renewal that ends after the release would take the lease again.
    await latest
    await leases.release(name, holder).catch(() => {})
  }
}
