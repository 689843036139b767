import type { UsageStore } from '../../../usage/port.ts'
import { type Client, remoteMethods } from '../client.ts'
import { type DigestPage, subjectsIn } from './digests.ts'

export function usageOverClient(client: Client): UsageStore {
  const sliced = (method: string, args: readonly unknown[], items: readonly unknown[]) =>
    client.call(`usage.${method}`, args, { items }) as Promise<never>
  return {
    ...remoteMethods<UsageStore>(
      client,
      'usage',
      ...([
        'append',
        'pending',
        'subjectCounts',
        'partitions',
        'open',
        'fence',
        'journal',
        'firstKey',
      ] as const),
      ...(['entities', 'loose', 'nodeLoads', 'nodeLoadsChangedAt', 'keepNodeLoads'] as const),
      ...(['lateUsageAt', 'prune', 'dropDays'] as const),
    ),
    commit: (partition, epoch, { subjects, ...rest }) => sliced('commit', [partition, epoch, rest], subjects),
    compact: (partition, epoch, days) => sliced('compact', [partition, epoch], days),
    async *digests(organisation, query) {
      const pageAfter = (after: string | undefined) =>
        client.call('usage.digestPage', [organisation, query, after]) as Promise<DigestPage>
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
  }
}
