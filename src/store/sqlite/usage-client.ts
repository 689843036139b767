import type { UsageStore } from '../../usage/port.ts'
import type { Client } from './client.ts'
import { type DigestPage, subjectsIn } from './usage-pages.ts'

/** The usage room, seen from outside the database's thread. */
export function usageOver(client: Client): UsageStore {
  const call = (method: string, args: readonly unknown[], items?: readonly unknown[]) =>
    client.call('usage', method, args, items) as Promise<never>
  return {
    append: (entries) => call('append', [entries]),
    partitions: () => call('partitions', []),
    open: (partition) => call('open', [partition]),
    fence: (partition) => call('fence', [partition]),
    journal: (partition, after, maxBytes) => call('journal', [partition, after, maxBytes]),
    commit: (partition, epoch, { subjects, ...rest }) => call('commit', [partition, epoch, rest], subjects),
    async *digests(organisation, query) {
      let { after } = query
      do {
        const page: DigestPage = await call('digestPage', [organisation, query, after])
        yield* subjectsIn(page)
        after = page.next
      } while (after !== undefined)
    },
    entities: (organisation, query) => call('entities', [organisation, query]),
    loose: (partition, beforeHour, maxDays) => call('loose', [partition, beforeHour, maxDays]),
    compact: (partition, epoch, days) => call('compact', [partition, epoch], days),
    prune: (organisation, beforeHour, maxRows) => call('prune', [organisation, beforeHour, maxRows]),
  }
}
