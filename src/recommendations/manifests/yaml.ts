export type Yaml =
  | string
  | number
  | boolean
  | null
  | readonly Yaml[]
  | { readonly [member: string]: Yaml | undefined }

/** Writes one document. Undefined members are left out; text of several lines becomes a block. */
export function writeYaml(value: Yaml): string {
  return `${block(value, 0)}\n`
}

export const writeDocument = (value: Yaml): string => `---\n${writeYaml(value)}`

export const writeRemark = (text: string): string => `# ${oneLine(text)}\n`

function block(value: Yaml, indent: number): string {
  const pad = ' '.repeat(indent)
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return value.map((item) => `${pad}- ${block(item, indent + 2).trimStart()}`).join('\n')
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(
      (member): member is [string, Yaml] => member[1] !== undefined,
    )
    if (members.length === 0) return '{}'
    return members.map(([name, member]) => `${pad}${scalar(name)}:${memberText(member, indent)}`).join('\n')
  }
  return scalar(value as string | number | boolean | null)
}

function memberText(value: Yaml, indent: number): string {
  if (typeof value === 'string' && value.includes('\n')) return literal(value, indent + 2)
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  if (typeof value !== 'object' || value === null || isEmpty) return ` ${block(value, indent)}`
  return `\n${block(value, Array.isArray(value) ? indent : indent + 2)}`
}

/** |- keeps the lines and drops the last line break. Text that a block cannot represent is quoted. */
function literal(text: string, indent: number): string {
  const body = text.replace(/\n$/, '')
  const fits = /^[^\s][\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd]*$/.test(body) && !/\n$/.test(body)
  if (!fits) return ` ${quoted(text)}`
  const lines = body.split('\n').map((line) => (line === '' ? '' : ' '.repeat(indent) + line))
  return ` ${text.endsWith('\n') ? '|' : '|-'}\n${lines.join('\n')}`
}

function scalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value)
  const plain = (/^[A-Za-z][\w./-]*$/.test(value) && !words.test(value)) || /^\d+(m|Mi|Gi)$/.test(value)
  return plain ? value : quoted(value)
}

/**
 * JSON's escapes are valid in YAML. Characters that YAML does not allow but JSON leaves as they are get escaped too.
 */
const quoted = (text: string): string =>
  JSON.stringify(text).replace(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Words that YAML 1.1 or 1.2 does not read as text. */
const words = /^(y|n|yes|no|on|off|true|false|null|nan|inf)$/i

const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
