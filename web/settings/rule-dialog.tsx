import { type FormEvent, useState } from 'react'
import { Dialog, DialogFoot } from '../parts/dialog.tsx'
import { Select, TextField } from '../parts/inputs/inputs.tsx'
import { Trouble } from '../parts/states.tsx'
import { limitWords, type Rule } from './rule-words.ts'

interface Props {
  /** The rule to change; undefined for a new one. */
  readonly rule: Rule | undefined
  readonly save: { readonly isPending: boolean; readonly error: unknown }
  readonly onSave: (rule: Rule) => void
  readonly onClose: () => void
}

const numbers = [
  ['min_cpu', 'CPU at least', 'cores'],
  ['max_cpu', 'CPU at most', 'cores'],
  ['min_memory', 'Memory at least', 'GiB'],
  ['max_memory', 'Memory at most', 'GiB'],
] as const
type NumberName = (typeof numbers)[number][0]
/** Other members of a rule stay as they are. */
const fieldNames = [
  'cluster',
  'namespace',
  'limits',
  'cpu_memory_ratio',
  ...numbers.map(([name]) => name),
] as const

/** Edits the containers of a rule and the bounds of their sizes. The service reports what is invalid. */
export function RuleDialog({ rule = {}, save, onSave, onClose }: Props) {
  const [texts, setTexts] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      fieldNames.flatMap((name) => (rule[name] === undefined ? [] : [[name, String(rule[name])]])),
    ),
  )
  const field = (name: keyof Rule) => ({
    value: texts[name] ?? '',
    onChange: (value: string) => setTexts({ ...texts, [name]: value }),
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    const others = Object.entries(rule).filter(([name]) => !fieldNames.some((field) => field === name))
    onSave({ ...Object.fromEntries(others), ...ruleOf(texts) })
  }
  return (
    <Dialog title={Object.keys(rule).length === 0 ? 'Add a rule' : 'Change the rule'} onClose={onClose}>
      <form className="dialog-form" onSubmit={send}>
        <div className="fields pairs">
          <TextField label="Cluster" note="empty: all" placeholder="prod-*" {...field('cluster')} />
          <TextField label="Namespace" note="empty: all" placeholder="team-*" {...field('namespace')} />
          {numbers.map(([name, label, unit]) => (
            <TextField key={name} label={label} note={unit} inputMode="decimal" {...field(name)} />
          ))}
          <Select
            label="CPU limits"
            options={[['', 'As in the profile'], ...Object.entries(limitWords)]}
            {...field('limits')}
          />
          <TextField
            label="GiB for each core"
            note="or a range"
            placeholder="1-6.5"
            {...field('cpu_memory_ratio')}
          />
        </div>
        <p className="note">* matches any text.</p>
        {save.error !== null && <Trouble error={save.error} />}
        <DialogFoot onClose={onClose}>
          <button className="button primary" type="submit" disabled={save.isPending}>
            {save.isPending ? 'Saving…' : 'Save the rule'}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

/** Empty fields are not set. Invalid numbers are sent as they are, so that the service names the field. */
function ruleOf(texts: Readonly<Record<string, string>>): Rule {
  const isNumber = (name: string): name is NumberName => numbers.some(([each]) => each === name)
  return Object.fromEntries(
    Object.entries(texts)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== '')
      .map(([name, text]) => [name, isNumber(name) && Number.isFinite(Number(text)) ? Number(text) : text]),
  )
}
