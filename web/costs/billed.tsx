import { dayShort, money, signedPercent } from '../parts/figures.ts'
import { Tile } from '../parts/tile.tsx'
import { setParams } from '../state/router.ts'
import { loadedBill } from '../usage/loaded-bill.ts'
import type { Period } from '../usage/period.ts'

/** What the bill that was last read says, beside the cost of the same days, or the way to these days. */
export function BilledTile({ period: { chosen }, totalUsd }: { period: Period; totalUsd: number }) {
  const bill = loadedBill()
  if (bill === undefined) return null
  const { from, to, billedUsd, machinesBilledUsd, machinesPricedUsd } = bill
  const isShown = chosen?.from === from && chosen.to === to
  return (
    <Tile
      label="Billed"
      value={money(billedUsd)}
      note={
        <>
          {dayShort(from)} to {dayShort(to)}; machines {money(machinesBilledUsd)}, by your prices{' '}
          {money(machinesPricedUsd)}.{' '}
          {isShown ? (
            totalUsd > 0 && (
              <>{signedPercent(100 * (billedUsd / totalUsd - 1))} against the cost measured here.</>
            )
          ) : (
            <button
              type="button"
              className="link"
              onClick={() => setParams({ days: undefined, from, to }, 'push')}
            >
              Show these days
            </button>
          )}
        </>
      }
    />
  )
}
