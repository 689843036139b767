import { money, percent } from '../parts/figures.ts'

/** Below a cent nothing is worth a colour. */
export const savingTone = (amount: number): 'good' | 'bad' | undefined =>
  amount >= 0.005 ? 'good' : amount <= -0.005 ? 'bad' : undefined

/** Money saved, or, where more is needed, spent. */
export function Saving({ amount, of }: { amount: number; of: number }) {
  return (
    <span className="two-lines">
      <span className={savingTone(amount) ?? 'neutral'}>{money(amount)}</span>
      {of > 0 && <span>{percent((100 * amount) / of)}</span>}
    </span>
  )
}
