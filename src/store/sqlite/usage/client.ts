import type { UsageStore } from '../../../usage/port.ts'
import type { Client } from '../client.ts'
import { type DigestPage, subjectsIn } from './digests.ts'

/** Client of the usage store in the database thread. */
export function usageOverClient(client: Client): UsageStore {
  const call = (method: string, args: readonly unknown[], items?: readonly unknown[]) =>
    client.call(`usage.${method}`, args, items === undefined ? undefined : { items }) as Promise<never>
  return {
    append: (entries, replaced) => call('append', [entries, replaced]),
    pending: () => call('pending', []),
    subjectCounts: () => call('subjectCounts', []),
    partitions: () => call('partitions', []),
    open: (partition) => call('open', [partition]),
    fence: (partition) => call('fence', [partition]),
    journal: (partition, after, maxBytes, known) => call('journal', [partition, after, maxBytes, known]),
    commit: (partition, epoch, { subjects, ...rest }) => call('commit', [partition, epoch, rest], subjects),
    async *digests(organisation, query) {
      const pageAfter = (after: string | undefined): Promise<DigestPage> =>
        call('digestPage', [organisation, query, after])
      let page = await pageAfter(query.after)
      for (let pages = 1; ; pages++) {
        // A reader of two pages is likely to continue, so the next page is read while this one is processed.
        const ahead = pages > 1 && page.next !== undefined ? pageAfter(page.next) : undefined
        ahead?.catch(() => undefined)
        yield* subjectsIn(page)
        if (page.next === undefined) return
        page = await (ahead ?? pageAfter(page.next))
      }
    },
    firstKey: (organisation, query) => call('firstKey', [organisation, query]),
    entities: (organisation, query) => call('entities', [organisation, query]),
    loose: (partition, beforeHour, maxDays) => call('loose', [partition, beforeHour, maxDays]),
    compact: (partition, epoch, days) => call('compact', [partition, epoch], days),
    nodeLoads: (organisation, cluster, days) => call('nodeLoads', [organisation, cluster, days]),
    nodeLoadsChangedAt: (organisation, cluster, days) =>
      call('nodeLoadsChangedAt', [organisation, cluster, days]),
    keepNodeLoads: (organisation, cluster, days) => call('keepNodeLoads', [organisation, cluster, days]),
    lateUsageAt: (organisation) => call('lateUsageAt', [organisation]),
    prune: (organisation, beforeHour, maxRows) => call('prune', [organisation, beforeHour, maxRows]),
    dropDays: (beforeHour) => call('dropDays', [beforeHour]),
  }
}
