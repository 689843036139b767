import { dollars } from '../../domain/money.ts'
import { plural } from '../../domain/text.ts'
import { savingsParts } from './savings-parts.ts'
import type { RecommendationTotals } from './schema.ts'

/** One sum with its parts, in which no dollar counts twice; what needs more stands apart. */
export function totalsLines({ count, savings }: RecommendationTotals): string[] {
  const { total_per_month: total, raises_count: raised, raises_per_month: raises } = savings
  const parts = savingsParts(savings).map(({ label, usd }) => `${label.toLowerCase()} ${dollars(usd)}`)
  return [
    `${plural(count - raised, 'recommendation')}, ${dollars(total)} a month${parts.length > 1 ? `: ${parts.join(', ')}` : ''}.`,
    ...(raised === 0
      ? []
      : [`${plural(raised, 'container needs', 'containers need')} ${dollars(raises)} a month more.`]),
    ...(savings.estimated_per_month === 0
      ? []
      : [`~ ${dollars(savings.estimated_per_month)} of it is estimated at base rates.`]),
  ]
}
