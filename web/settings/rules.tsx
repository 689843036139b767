import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, service } from '../api/client.ts'
import { Refused } from '../api/problem.ts'
import { Icon } from '../parts/icon.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { type Rule, rulePlace, ruleText } from './rule-words.ts'

interface Props {
  readonly organisation: string
  readonly mayChange: boolean
}

/** Bounds for all recommended sizes. All matching rules apply, later ones override earlier ones. */
export function SizingRules({ organisation, mayChange }: Props) {
  const queries = useQueryClient()
  const [edited, setEdited] = useState<Rule | 'new'>()
  const asked = useQuery({
    queryKey: ['sizing-rules'],
    queryFn: ({ signal }) => answer(service.GET('/v1/sizing_rules', { signal })),
  })
  const save = useMutation({
    // The whole list is replaced, which would undo what someone else has changed meanwhile.
    mutationFn: ({ etag, changed }: { etag: string; changed: readonly Rule[] }) =>
      answer(
        service.PUT('/admin/organisations/{organisation}/sizing_rules', {
          params: { path: { organisation } },
          headers: { 'if-match': etag },
          body: { rules: [...changed] },
        }),
      ),
    onError: (error) => {
      if (error instanceof Refused && error.status === 412)
        queries.setQueryData(['sizing-rules'], error.problem.current)
    },
    onSuccess: async () => {
      setEdited(undefined)
      await queries.invalidateQueries()
    },
  })
  if (asked.isPending) return <Skeleton lines={2} label="Loading sizing rules" />
  if (asked.data === undefined) return <Trouble error={asked.error} again={() => void asked.refetch()} />
  const { rules, etag } = asked.data
  const open = (which: Rule | 'new') => {
    save.reset()
    setEdited(which)
  }
  const change = (changed: readonly Rule[]) => save.mutate({ etag, changed })
  const put = (rule: Rule) => {
    const at = rules.findIndex((each) => JSON.stringify(each) === JSON.stringify(edited))
    // A rule that someone else has removed or changed meanwhile is added again.
    change(at === -1 ? [...rules, rule] : rules.with(at, rule))
  }
  return (
    <>
      {rules.length === 0 && (
        <p className="note">No sizing rules are set: only the bounds of the profile apply.</p>
      )}
      {rules.length > 0 && (
        <ol className="rules" aria-label="Sizing rules">
          {rules.map((rule, i) => (
            <li key={JSON.stringify([i, rule])}>
              <span className="rule-said">
                <b>{rulePlace(rule)}</b> {ruleText(rule)}
              </span>
              {mayChange && (
                <RuleButtons
                  place={rulePlace(rule)}
                  isBusy={save.isPending}
                  onEdit={() => open(rule)}
                  onRaise={i === 0 ? undefined : () => change(rules.with(i, rules[i - 1]!).with(i - 1, rule))}
                  onRemove={() => change(rules.toSpliced(i, 1))}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {rules.length > 1 && <p className="note">If several rules match, later ones override earlier ones.</p>}
      {mayChange && (
        <div>
          <button type="button" className="button" onClick={() => open('new')}>
            <Icon name="plus" size={16} /> Add a rule
          </button>
        </div>
      )}
      {edited === undefined && save.error !== null && <Trouble error={save.error} />}
      {edited !== undefined && (
        <RuleDialog
          rule={edited === 'new' ? undefined : edited}
          save={save}
          onSave={put}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

function RuleButtons(props: {
  place: string
  isBusy: boolean
  onEdit: () => void
  onRaise: (() => void) | undefined
  onRemove: () => void
}) {
  const { place, isBusy, onEdit, onRaise, onRemove } = props
  return (
    <span className="rule-buttons">
      <button type="button" className="button" disabled={isBusy} onClick={onEdit}>
        Change<span className="visually-hidden"> the rule of {place}</span>
      </button>
      {onRaise !== undefined && (
        <button type="button" className="button" disabled={isBusy} onClick={onRaise}>
          Move up<span className="visually-hidden"> the rule of {place}</span>
        </button>
      )}
      <button type="button" className="button" disabled={isBusy} onClick={onRemove}>
        Remove<span className="visually-hidden"> the rule of {place}</span>
      </button>
    </span>
  )
}
