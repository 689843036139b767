import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { answer, service } from '../api/client.ts'
import { estimatorName } from '../namespaces/estimate-rows.ts'
import { riskText } from '../namespaces/risk-words.ts'
import { Select } from '../parts/inputs/inputs.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { Term } from '../parts/term.tsx'
import { profileOptions } from './profile-options.ts'
import { RuleList } from './rule-list.tsx'
import { sizingRules } from './sizing-rules.tsx'

/** Sets how much risk sizes take by default. */
export function ProfileSettings({ organisation, mayChange }: { organisation: string; mayChange: boolean }) {
  const queries = useQueryClient()
  const rules = useMemo(() => sizingRules(organisation), [organisation])
  const asked = useQuery({
    queryKey: ['sizing-profile'],
    queryFn: ({ signal }) => answer(service.GET('/v1/sizing_profile', { signal })),
  })
  const change = useMutation({
    mutationFn: (profile: string) =>
      answer(
        service.PUT('/admin/organisations/{organisation}/sizing_profile', {
          params: { path: { organisation } },
          body: { profile },
        }),
      ),
    onSuccess: () => queries.invalidateQueries(),
  })
  const current = asked.data && (asked.data.profile ?? `risk ${riskText(asked.data.risk!)}`)
  return (
    <section className="card setting" aria-labelledby="profile-title">
      <h2 id="profile-title">Sizing</h2>
      {asked.isPending && <Skeleton lines={2} label="Loading the profile" />}
      {asked.error !== null && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {current !== undefined && (
        <>
          <p>
            Containers are sized by the <Term of="profile">profile</Term> <b>{estimatorName(current)}</b>
            {asked.data?.set === false && ', the default'}.
          </p>
          {mayChange ? (
            <div className="setting-field">
              <Select
                label="Profile"
                value={current}
                options={profileOptions}
                onChange={(to) => change.mutate(to)}
              />
              <span className="note" aria-live="polite">
                {change.isPending ? 'Saving…' : change.isSuccess ? 'Saved; it applies at once.' : ''}
              </span>
            </div>
          ) : (
            <p className="note">A key with the scope admin can change it.</p>
          )}
          {change.error !== null && <Trouble error={change.error} />}
        </>
      )}
      <h3>Rules</h3>
      <RuleList kind={rules} mayChange={mayChange} />
    </section>
  )
}
