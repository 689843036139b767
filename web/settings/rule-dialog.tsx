import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Dialog, DialogFoot } from '../parts/dialog.tsx'
import { Select, TextField } from '../parts/inputs/inputs.tsx'
import { Trouble } from '../parts/states.tsx'
import { differenceOf, nounOf, type RuleKind, ruleOf, textsOf } from './rule-kind.ts'

export interface RuleSaving<Rule> {
  readonly isPending: boolean
  readonly error: unknown
  readonly save: (rules: readonly Rule[]) => void
  readonly onClose: () => void
}

interface Props<Rule extends object, Effect> extends RuleSaving<Rule> {
  readonly kind: RuleKind<Rule, Effect>
  readonly rules: readonly Rule[]
  /** The rule to change; undefined for a new one. */
  readonly rule: Rule | undefined
}

/** Edits one rule in a form. */
export function RuleDialog<Rule extends object, Effect>({ rule, ...rest }: Props<Rule, Effect>) {
  const { kind, rules } = rest
  const [texts, setTexts] = useState(() => textsOf(rule ?? {}, kind.fields))
  const rulesAfter = () => {
    const edited = ruleOf(rule ?? ({} as Rule), texts, kind.fields)
    const at = rules.findIndex((each) => JSON.stringify(each) === JSON.stringify(rule))
    // A rule that someone else has removed or changed meanwhile is added again.
    return at === -1 ? [...rules, edited] : rules.with(at, edited)
  }
  return (
    <Editor
      {...rest}
      title={
        kind.member === undefined
          ? kind.caption
          : `${rule === undefined ? 'Add a' : 'Change the'} ${nounOf(kind)}`
      }
      rulesAfter={rulesAfter}
      edited={texts}
    >
      <div className="fields pairs">
        {kind.fields.map(({ name, label, note, placeholder, isNumber, isDate, options, appliesTo }) => {
          if (appliesTo?.(texts) === false) return null
          const value = texts[name] ?? ''
          const onChange = (to: string) => setTexts({ ...texts, [name]: to })
          return options !== undefined ? (
            <Select key={name} {...{ label, options, value, onChange }} />
          ) : (
            <TextField
              key={name}
              {...{ label, value, onChange }}
              {...(note === undefined ? {} : { note })}
              {...(placeholder === undefined ? {} : { placeholder })}
              {...(isNumber ? { inputMode: 'decimal' } : {})}
              {...(isDate ? { type: 'date' } : {})}
            />
          )
        })}
      </div>
      {kind.formNote !== undefined && <p className="note">{kind.formNote}</p>}
    </Editor>
  )
}

/** Edits all rules of a kind as YAML, with every member that the API knows. */
export function RuleTextDialog<Rule extends object, Effect>({
  text: given,
  parse,
  ...rest
}: Omit<Props<Rule, Effect>, 'rule'> & { readonly text: string; readonly parse: (text: string) => unknown }) {
  const [text, setText] = useState(given)
  const rulesAfter = () => {
    const parsed = parse(text) as Record<string, unknown> | readonly Rule[] | null
    const { member } = rest.kind
    if (member === undefined) return parsed === null ? [] : [parsed as Rule]
    const found = Array.isArray(parsed) ? parsed : (parsed as Record<string, unknown> | null)?.[member]
    if (!Array.isArray(found)) throw new Error(`Write a list below "${member}:".`)
    return found as Rule[]
  }
  return (
    <Editor {...rest} title={`${rest.kind.caption} as YAML`} rulesAfter={rulesAfter} edited={text}>
      <label className="field">
        <span className="field-label">{rest.kind.caption}</span>
        <textarea
          className="code-text"
          rows={14}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
    </Editor>
  )
}

interface EditorProps<Rule extends object, Effect> extends Omit<Props<Rule, Effect>, 'rule'> {
  readonly title: string
  readonly children: ReactNode
  /** The rules as edited. It throws if the text cannot be read. */
  readonly rulesAfter: () => readonly Rule[]
  /** What was edited: a preview is only of the text it was made from. */
  readonly edited: unknown
}

const reveal = (effect: HTMLElement | null) => effect?.scrollIntoView({ block: 'nearest' })

/** Nothing is saved before its effect has been shown. */
function Editor<Rule extends object, Effect>(props: EditorProps<Rule, Effect>) {
  const { kind, rules, title, children, rulesAfter, edited, isPending, error, save, onClose } = props
  const preview = useMutation({
    mutationFn: async () => {
      const after = rulesAfter()
      return { after, edited, effect: await kind.preview(after) }
    },
  })
  const shown = preview.data?.edited === edited ? preview.data : undefined
  const send = (event: FormEvent) => {
    event.preventDefault()
    // The others may have changed since the preview.
    if (shown === undefined) preview.mutate()
    else save(rulesAfter())
  }
  return (
    <Dialog title={title} onClose={onClose} wide>
      <form className="dialog-form" onSubmit={send}>
        {children}
        {preview.error !== null && !preview.isPending && shown === undefined && (
          <Trouble error={preview.error} />
        )}
        {shown !== undefined && (
          <section ref={reveal} className="rule-effect" aria-label="What would change" aria-live="polite">
            <Difference kind={kind} before={rules} after={shown.after} />
            {kind.showEffect(shown.effect)}
          </section>
        )}
        {error !== null && <Trouble error={error} />}
        <DialogFoot onClose={onClose}>
          <button className="button primary" type="submit" disabled={isPending || preview.isPending}>
            {shown === undefined
              ? preview.isPending
                ? 'Calculating…'
                : 'Preview'
              : isPending
                ? 'Saving…'
                : 'Save'}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

function Difference<Rule extends object, Effect>({
  kind,
  before,
  after,
}: {
  kind: RuleKind<Rule, Effect>
  before: readonly Rule[]
  after: readonly Rule[]
}) {
  const { added, removed } = differenceOf(before, after)
  if (added.length + removed.length === 0)
    return (
      <p className="note">
        {before.length === 0 || kind.order === undefined
          ? 'Nothing changes.'
          : 'At most the order of the rules changes.'}
      </p>
    )
  const line = (sign: '+' | '−', rule: Rule) => (
    <li key={`${sign}${JSON.stringify(rule)}`} data-sign={sign}>
      <span aria-hidden="true">{sign} </span>
      <span className="visually-hidden">{sign === '+' ? 'added:' : 'removed:'} </span>
      <b>{kind.place(rule)}</b> {kind.text(rule)}
    </li>
  )
  return (
    <ul className="rule-lines" aria-label="Changed rules">
      {removed.map((rule) => line('−', rule))}
      {added.map((rule) => line('+', rule))}
    </ul>
  )
}
