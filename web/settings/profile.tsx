import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { answer, service } from '../api/client.ts'
import { estimatorName } from '../namespaces/estimate-rows.ts'
import { riskText } from '../namespaces/risk-words.ts'
import { Dialog, DialogFoot } from '../parts/dialog.tsx'
import { Select } from '../parts/inputs/inputs.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { Term } from '../parts/term.tsx'
import { profileOptions } from './profile-options.ts'
import { RuleList } from './rule-list.tsx'
import type { Rule } from './rule-words.ts'
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
    onSuccess: () => {
      setWanted(undefined)
      return queries.invalidateQueries()
    },
  })
  const [wanted, setWanted] = useState<string>()
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
                onChange={(to) => {
                  change.reset()
                  setWanted(to)
                }}
              />
              <span className="note" aria-live="polite">
                {change.isSuccess
                  ? 'Saved; it applies at once.'
                  : 'You see what would change before it applies.'}
              </span>
            </div>
          ) : (
            <p className="note">A key with the scope admin can change it.</p>
          )}
          {wanted !== undefined && (
            <ProfileDialog
              rules={rules}
              wanted={wanted}
              isSaving={change.isPending}
              error={change.error}
              onSave={() => change.mutate(wanted)}
              onClose={() => setWanted(undefined)}
            />
          )}
        </>
      )}
      <h3>Rules</h3>
      <RuleList kind={rules} mayChange={mayChange} />
    </section>
  )
}

interface ProfileDialogProps {
  readonly rules: ReturnType<typeof sizingRules>
  readonly wanted: string
  readonly isSaving: boolean
  readonly error: unknown
  readonly onSave: () => void
  readonly onClose: () => void
}

/** Shows what another profile would change in sizes and money before it applies. */
function ProfileDialog({ rules, wanted, isSaving, error, onSave, onClose }: ProfileDialogProps) {
  const preview = useQuery({
    queryKey: ['profile-preview', wanted],
    // A rule for everything before all others does the same as the profile of the organisation.
    queryFn: async ({ signal }) =>
      rules.preview([{ profile: wanted } as Rule, ...(await rules.load(signal)).rules]),
    gcTime: 0,
  })
  return (
    <Dialog title={`Size by the profile ${estimatorName(wanted)}?`} onClose={onClose} wide>
      <div className="dialog-form">
        {preview.isPending && <Skeleton lines={4} label="Calculating what would change" />}
        {preview.error !== null && <Trouble error={preview.error} again={() => void preview.refetch()} />}
        {preview.data !== undefined && (
          <section className="rule-effect" aria-label="What would change">
            {rules.showEffect({ ...preview.data, unmatched_rules: [] })}
          </section>
        )}
        {error != null && <Trouble error={error} />}
        <DialogFoot onClose={onClose}>
          <button
            type="button"
            className="button primary"
            disabled={isSaving || preview.data === undefined}
            onClick={onSave}
          >
            {isSaving ? 'Saving…' : 'Apply'}
          </button>
        </DialogFoot>
      </div>
    </Dialog>
  )
}
