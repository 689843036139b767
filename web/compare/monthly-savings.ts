/**
 * Returns savings as a percentage of what a month costs now. It differs from the percentage of the hourly price if one
 * of the machines has a monthly cap or a discount for sustained use.
 */
export function savedPercentOfMonth(offer: {
  readonly cost_per_month: number
  readonly savings: { readonly amount_per_month: number }
}): number {
  const saved = offer.savings.amount_per_month
  return (100 * saved) / (offer.cost_per_month + saved)
}
