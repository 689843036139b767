import { money, percent } from '../parts/figures.ts'

/** Amounts below a cent have no colour. */
export const savingTone = (amount: number): 'good' | 'bad' | undefined =>
  amount >= 0.005 ? 'good' : amount <= -0.005 ? 'bad' : undefined

/** Shows the money saved; negative if more is needed. */
export function Saving({ amount, of }: { amount: number; of: number }) {
  return (
    <span className="two-lines">
      <span className={savingTone(amount) ?? 'neutral'}>{money(amount)}</span>
      {of > 0 && <span>{percent((100 * amount) / of)}</span>}
    </span>
  )
}
