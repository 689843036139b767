const leastChange = 0.1
const leastUsdPerDay = 0.01

/** A change that is small, or saves or costs less than a cent a day over all replicas, is not proposed. */
export function changeIsWorth(
  current: number | null,
  target: number,
  pricePerHourUsd: number,
  replicas: number,
): { readonly worthChanging: boolean; readonly reason: string } {
  if (current === null || !(current > 0)) return { worthChanging: true, reason: '' }
  if (Math.abs(target / current - 1) < leastChange)
    return { worthChanging: false, reason: 'Within 10% of what is set now.' }
  const usdPerDay = Math.abs(target - current) * pricePerHourUsd * 24 * Math.max(1, replicas)
  return usdPerDay < leastUsdPerDay
    ? { worthChanging: false, reason: 'The change would be worth less than a cent a day.' }
    : { worthChanging: true, reason: '' }
}
