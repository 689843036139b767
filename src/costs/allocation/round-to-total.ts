import { round } from '../../domain/money.ts'

/**
 * Rounds amounts to cents, so that they add up to `total`, which is their rounded sum: all are rounded
 * down, and those with the largest remainders get the missing cents. 0.333, 0.333, 0.334 -> 0.33, 0.33, 0.34
 */
export function roundToTotal(amounts: readonly number[], total = round(sumOf(amounts), 2)): number[] {
  const exact = amounts.map((usd) => round(usd * 100, 6))
  const remainders = Float64Array.from(exact, (each) => each - Math.floor(each))
  let missing = Math.round(total * 100) - sumOf(exact.map(Math.floor))
  const least = missing > 0 ? remainders.toSorted().at(-missing)! : 1
  missing -= remainders.reduce((above, each) => above + (each > least ? 1 : 0), 0)
  return exact.map((each, index) => {
    const isUp = remainders[index]! > least || (remainders[index] === least && missing-- > 0)
    return (Math.floor(each) + (isUp ? 1 : 0)) / 100
  })
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
