import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { setParams, usePlace } from '../app/router.ts'
import { share } from '../parts/figures.ts'
import { Segmented } from '../parts/inputs.tsx'
import { estimatorName } from './estimate-rows.ts'

const profiles = [
  ['cost', 'Cost'],
  ['balanced', 'Balanced'],
  ['safe', 'Safe'],
] as const

/** How much risk is taken, as the address says; undefined: as the organisation usually does. */
export function useProfile(): string | undefined {
  return usePlace().params.get('profile') ?? undefined
}

export function ProfileChoice() {
  const chosen = useProfile()
  const { data } = useQuery({
    queryKey: ['sizing-profile'],
    queryFn: ({ signal }) => answer(service.GET('/v1/sizing_profile', { signal })),
  })
  const isOurs = (name: string) => profiles.some(([each]) => each === name)
  const usual = data === undefined ? 'balanced' : (data.profile ?? `risk ${share(data.risk)}`)
  const value = chosen ?? usual
  const others = [...new Set([usual, value])].filter((name) => !isOurs(name))
  return (
    <div className="labelled">
      <span className="note" aria-hidden="true">
        Sized for
      </span>
      <Segmented
        label="Sized for"
        name="profile"
        options={[...profiles, ...others.map((name) => [name, estimatorName(name)] as const)]}
        value={value}
        onChange={(to) => setParams({ profile: to === usual ? undefined : to }, 'push')}
      />
    </div>
  )
}
