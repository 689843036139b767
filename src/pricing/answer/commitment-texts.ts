import { dollars } from '../../domain/money.ts'
import type { CommittedSaving } from '../commitments/schema.ts'

/** Such as: Covered by ri until 2026-12-31: this saves $70.08 a month until then, $140.16 after. */
export function savingSentence(saving: CommittedSaving, money = dollars, what = 'this'): string {
  const { commitments, until, stranded_per_month: stranded } = saving
  const covered = `Covered by ${commitmentNames(commitments)} until ${until}`
  if (stranded === 0 && saving.saves_per_month === saving.saves_per_month_after)
    return `${covered}, which then covers other machines: ${what} saves ${money(saving.saves_per_month)} a month.`
  const kept =
    stranded === null || stranded > 0
      ? ` ${stranded === null ? 'Part' : `At most ${money(stranded)} a month`} of what is committed would be paid for nothing, unless other machines use it.`
      : ''
  return `${covered}: ${what} saves ${money(saving.saves_per_month)} a month until then, ${money(saving.saves_per_month_after)} after.${kept}`
}

export const commitmentNames = (names: readonly string[]): string =>
  `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ' and others' : ''}`

const maxNamed = 3
