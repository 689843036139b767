import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Refused } from '../api/problem.ts'
import { Icon } from '../parts/icon.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { RuleDialog, RuleTextDialog } from './rule-dialog.tsx'
import { nounOf, type RuleKind, type StoredRules } from './rule-kind.ts'

interface Props<Rule extends object, Effect> {
  readonly kind: RuleKind<Rule, Effect>
  readonly mayChange: boolean
}

interface RuleText {
  readonly text: string
  readonly parse: (text: string) => unknown
}

/** Lists the rules of a kind, which are edited in a form or as YAML and previewed before they are saved. */
export function RuleList<Rule extends object, Effect>({ kind, mayChange }: Props<Rule, Effect>) {
  const queries = useQueryClient()
  const [edited, setEdited] = useState<{ rule: Rule | undefined } | RuleText>()
  const asked = useQuery({ queryKey: [kind.key], queryFn: ({ signal }) => kind.load(signal) })
  const save = useMutation({
    // The whole list is replaced, which would undo what someone else has changed meanwhile.
    mutationFn: ({ etag, changed }: { etag: string; changed: readonly Rule[] }) => kind.save(changed, etag),
    onError: (error) => {
      if (error instanceof Refused && error.status === 412)
        queries.setQueryData([kind.key], error.problem.current as unknown as StoredRules<Rule>)
    },
    onSuccess: async () => {
      setEdited(undefined)
      await queries.invalidateQueries()
    },
  })
  if (asked.isPending) return <Skeleton lines={2} label={`Loading ${kind.caption.toLowerCase()}`} />
  if (asked.data === undefined) return <Trouble error={asked.error} again={() => void asked.refetch()} />
  const { rules, etag } = asked.data
  const open = (what: typeof edited) => {
    save.reset()
    setEdited(what)
  }
  const change = (changed: readonly Rule[]) => save.mutate({ etag, changed })
  const openText = async () => {
    // As large as a page, and rarely needed.
    const yaml = await import('yaml')
    const text = yaml.stringify(kind.member === undefined ? (rules[0] ?? {}) : { [kind.member]: rules })
    open({ text, parse: yaml.parse })
  }
  const dialog = {
    kind,
    rules,
    isPending: save.isPending,
    error: save.error,
    save: change,
    onClose: () => setEdited(undefined),
  }
  return (
    <>
      {rules.length === 0 && <p className="note">{kind.none}</p>}
      {rules.length > 0 && (
        <ol className="rules" aria-label={kind.caption}>
          {rules.map((rule, i) => (
            <li key={JSON.stringify([i, rule])}>
              <span className="rule-said">
                <b>{kind.place(rule)}</b> {kind.text(rule)}
                {kind.Detail !== undefined && (
                  <>
                    {' '}
                    <kind.Detail rule={rule} />
                  </>
                )}
              </span>
              {mayChange && (
                <RuleButtons
                  place={`${nounOf(kind)} ${kind.place(rule)}`.trim()}
                  isBusy={save.isPending}
                  onEdit={() => open({ rule })}
                  onRaise={
                    i === 0 || kind.order === undefined
                      ? undefined
                      : () => change(rules.with(i, rules[i - 1]!).with(i - 1, rule))
                  }
                  onRemove={() => change(rules.toSpliced(i, 1))}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {rules.length > 1 && kind.order !== undefined && <p className="note">{kind.order}</p>}
      {mayChange && (
        <div className="rule-buttons">
          {(kind.member !== undefined || rules.length === 0) && (
            <button type="button" className="button" onClick={() => open({ rule: undefined })}>
              <Icon name="plus" size={16} /> {kind.member === undefined ? 'Set' : 'Add a'} {nounOf(kind)}
            </button>
          )}
          <button type="button" className="button" onClick={() => void openText()}>
            Edit as YAML<span className="visually-hidden">: {kind.caption}</span>
          </button>
        </div>
      )}
      {edited === undefined && save.error !== null && <Trouble error={save.error} />}
      {edited !== undefined &&
        ('text' in edited ? (
          <RuleTextDialog {...dialog} {...edited} />
        ) : (
          <RuleDialog {...dialog} {...edited} />
        ))}
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
        Change<span className="visually-hidden"> the {place}</span>
      </button>
      {onRaise !== undefined && (
        <button type="button" className="button" disabled={isBusy} onClick={onRaise}>
          Move up<span className="visually-hidden"> the {place}</span>
        </button>
      )}
      <button type="button" className="button" disabled={isBusy} onClick={onRemove}>
        Remove<span className="visually-hidden"> the {place}</span>
      </button>
    </span>
  )
}
