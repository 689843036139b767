import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { Segmented } from '../parts/inputs/inputs.tsx'
import { setParams } from '../state/router.ts'
import { estimatorName } from './estimate-rows.ts'
import { RiskChoice } from './risk.tsx'
import { riskText } from './risk-words.ts'
import { useSizingPreference } from './sizing-preference.ts'

const profiles = [
  ['cost', 'Cost'],
  ['balanced', 'Balanced'],
  ['safe', 'Safe'],
] as const

/** Chooses how much risk sizes take: a profile or a number. */
export function ProfileChoice() {
  const { profile, risk } = useSizingPreference()
  const { data } = useQuery({
    queryKey: ['sizing-profile'],
    queryFn: ({ signal }) => answer(service.GET('/v1/sizing_profile', { signal })),
  })
  const isOurs = (name: string) => profiles.some(([each]) => each === name)
  const usual = data === undefined ? 'balanced' : (data.profile ?? `risk ${riskText(data.risk!)}`)
  const value = profile ?? usual
  const others = [...new Set([usual, value])].filter((name) => !isOurs(name))
  return (
    <div className="labelled sized">
      <span className="note" aria-hidden="true">
        Sized for
      </span>
      <Segmented
        label="Sized for"
        name="profile"
        options={[...profiles, ...others.map((name) => [name, estimatorName(name)] as const)]}
        value={risk === undefined ? value : ''}
        onChange={(to) => setParams({ profile: to === usual ? undefined : to, risk: undefined }, 'push')}
      />
      <RiskChoice />
    </div>
  )
}
