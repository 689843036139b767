import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { counted, money } from '../parts/figures.ts'
import type { Period } from '../usage/period.ts'

/** What commitments change of the sum of everything; nothing without commitments. */
export function CommitmentsNote({ period: { start_date, end_date } }: { period: Period }) {
  const { data } = useQuery({
    queryKey: ['cost-commitments', start_date, end_date],
    queryFn: ({ signal }) =>
      answer(service.GET('/v1/cost_commitments', { params: { query: { start_date, end_date } }, signal })),
  })
  if (data === undefined || data.commitments.length === 0) return null
  const { commitments, covered_usd, cost_usd, change_usd } = data
  return (
    <p className="note">
      Costs are at on-demand prices. {counted(commitments.length, 'commitment')}{' '}
      {commitments.length === 1 ? 'covers' : 'cover'} {money(covered_usd)} of nodes and machines
      {cost_usd === null || change_usd === null
        ? '; what they cost is not known.'
        : ` and cost ${money(cost_usd)}: with them the sum is ${money(Math.abs(change_usd))} ${change_usd > 0 ? 'more' : 'less'}.`}
    </p>
  )
}
