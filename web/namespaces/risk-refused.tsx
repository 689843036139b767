import { Notice } from '../parts/states.tsx'
import { setParams } from '../state/router.ts'
import { riskText } from './risk-words.ts'
import { useSizingPreference } from './sizing-preference.ts'

/** Shows why the service refuses the risk in the address, and a way back. */
export function RiskRefused({ why }: { why: string }) {
  const { risk = Number.NaN } = useSizingPreference()
  const which = Number.isNaN(risk) ? 'this risk' : `a risk of ${riskText(risk)}`
  return (
    <Notice tone="danger" title={`No sizes at ${which}`}>
      <p>
        The service refused it: risk {why}. It is a share from 0% to 100%, and can replace only the profiles
        cost, balanced and safe.
      </p>
      <button type="button" className="button" onClick={() => setParams({ risk: undefined }, 'push')}>
        Remove the risk
      </button>
    </Notice>
  )
}
