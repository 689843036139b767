import { csvCell } from '../../domain/text.ts'

const outputFormats = ['table', 'json', 'yaml', 'csv'] as const
export type OutputFormat = (typeof outputFormats)[number]

export function reformat(json: string, format: OutputFormat): string {
  if (format === 'yaml') return yamlOf(JSON.parse(json)).join('\n')
  return format === 'csv' ? csvOf(JSON.parse(json)) : json
}

/** YAML 1.2 contains JSON, so that every scalar is written as JSON unless it is a plain word. */
function yamlOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [scalar(value)]
  if (Array.isArray(value))
    return value.length === 0 ? ['[]'] : value.flatMap((item) => indented('- ', yamlOf(item)))
  const members = Object.entries(value)
  if (members.length === 0) return ['{}']
  return members.flatMap(([name, member]) => {
    const lines = yamlOf(member)
    const isBlock = typeof member === 'object' && member !== null && !/^[[{]/.test(lines[0]!)
    return isBlock
      ? [`${scalar(name)}:`, ...lines.map((line) => `  ${line}`)]
      : [`${scalar(name)}: ${lines[0]}`]
  })
}

const indented = (first: string, [head, ...rest]: string[]): string[] => [
  first + head,
  ...rest.map((line) => `  ${line}`),
]

const scalar = (value: unknown): string =>
  typeof value === 'string' &&
  /^[A-Za-z_][\w./-]*$/.test(value) &&
  !/^(true|false|null|yes|no|on|off|y|n)$/i.test(value)
    ? value
    : JSON.stringify(value)

/**
 * One line for each object of the list that a value is or has, or of the lists that all of these end with, or for the value itself.
 * Members of members are a.b.
 */
function csvOf(value: unknown): string {
  const rows = innermost(listIn(value) ?? [value]).map((row) => new Map(cellsOf(row)))
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  // A member that is null in some rows has only the columns of its members.
  const heads = names.filter((name) => !names.some((other) => other.startsWith(`${name}.`)))
  return [heads, ...rows.map((row) => heads.map((head) => row.get(head) ?? ''))]
    .map((cells) => cells.map(csvCell).join(','))
    .join('\n')
}

function innermost(rows: readonly unknown[]): readonly unknown[] {
  const lists = rows.map((row) => (isObject(row) ? Object.entries(row).at(-1)?.[1] : undefined))
  if (!lists.every((list) => Array.isArray(list) && isObject(list[0]))) return rows
  return rows.flatMap((row, i) => {
    const outer = Object.entries(row as object).slice(0, -1)
    return (lists[i] as object[]).map((item) => ({ ...Object.fromEntries(outer), ...item }))
  })
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  return isObject(value)
    ? Object.values(value).find(
        (member) => Array.isArray(member) && (member.length === 0 || isObject(member[0])),
      )
    : undefined
}

function cellsOf(value: unknown, name = ''): [string, string | number][] {
  if (isObject(value) && !Array.isArray(value))
    return Object.entries(value).flatMap(([key, member]) =>
      cellsOf(member, name === '' ? key : `${name}.${key}`),
    )
  if (Array.isArray(value) && !value.some(isObject)) return [[name || 'value', value.join(' ')]]
  const isPlain = typeof value === 'string' || typeof value === 'number'
  return [[name || 'value', isPlain ? value : value === null ? '' : JSON.stringify(value)]]
}
