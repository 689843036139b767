import { keyPattern, organisationRule } from './domain/key.ts'

interface Common {
  /** The variable, if it is not named after the setting. */
  readonly env?: string
  readonly default: string
  readonly text: string
  /** Placeholder for the value in the help, if its kind does not give one: --data DIRECTORY. */
  readonly value?: string
  /** A secret is never printed. */
  readonly secret?: boolean
}

/** The type of one setting, with its bounds. */
export type SettingDefinition = Common &
  (
    | { readonly kind: 'listen' | 'text' | 'postgres-url' | 'server-url' | 'url-or-none' | 'key' }
    | { readonly kind: 'organisation' | 'list' | 'origins' | 'boolean' }
    | { readonly kind: 'integer'; readonly min: number; readonly max: number }
    | { readonly kind: 'choice'; readonly choices: readonly string[] }
  )

export type Setting = SettingDefinition & { readonly env: string }

export type Problems = string[]

/** Returns the value of a setting. If it is invalid, adds a line to the problems and returns undefined. */
export function parseSetting(
  setting: SettingDefinition,
  text: string,
  shownName: string,
  problems: Problems,
): unknown {
  const refuse = (needs: string) => {
    problems.push(`${shownName} ${needs}${setting.secret ? '' : `, not ${JSON.stringify(text)}`}`)
    return undefined
  }
  switch (setting.kind) {
    case 'text':
      return text
    case 'list':
      return parseList(text)
    case 'origins':
      return parseList(text).every(isOrigin)
        ? parseList(text)
        : refuse('must be origins as browsers send them, such as https://app.example.com')
    case 'organisation':
      return organisationRule.pattern.test(text) ? text : refuse(organisationRule.message)
    case 'boolean':
      return booleans.get(text.toLowerCase()) ?? refuse('must be true or false')
    case 'integer': {
      const value = Number(text)
      if (/^\d+$/.test(text.trim()) && value >= setting.min && value <= setting.max) return value
      return refuse(`must be a whole number from ${setting.min} to ${setting.max}`)
    }
    case 'choice':
      return setting.choices.includes(text) ? text : refuse(`must be one of ${setting.choices.join(', ')}`)
    case 'listen':
      return parseListen(text) ?? refuse('must be host:port, such as 127.0.0.1:8080 or [::1]:8080')
    case 'postgres-url':
      if (text === '') return ''
      return /^postgres(ql)?:$/.test(protocolOf(text))
        ? text
        : refuse(
            'must be a postgres:// URL, in which /, # and ? of a password are written as %2F, %23 and %3F',
          )
    case 'server-url':
      if (text === '') return ''
      return /^https?:$/.test(protocolOf(text))
        ? text.replace(/\/+$/, '')
        : refuse('must be the address of a service, such as https://cheapside.example.com')
    case 'url-or-none':
      return text === '' || text === 'none' || /^https?:$/.test(protocolOf(text))
        ? text
        : refuse('must be an http:// or https:// URL, or none')
    case 'key':
      if (text === '' || keyPattern.test(text)) return text
      return refuse(
        'must look like csk_<id>_<secret>: an id of 12 and a secret of 32 or more letters and digits',
      )
  }
}

const booleans = new Map([
  ...['true', 'yes', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'no', 'off', '0'].map((word) => [word, false] as const),
])

/** Returns the placeholder for the value of a flag in the help. */
export const placeholderOf = ({ kind, value }: SettingDefinition): string => value ?? placeholders[kind]

const placeholders: Readonly<Record<SettingDefinition['kind'], string>> = {
  listen: 'HOST:PORT',
  text: 'TEXT',
  'postgres-url': 'URL',
  'server-url': 'URL',
  'url-or-none': 'URL',
  key: 'KEY',
  organisation: 'NAME',
  list: 'NAMES',
  origins: 'URLS',
  boolean: 'BOOLEAN',
  integer: 'NUMBER',
  choice: 'NAME',
}

export function formatSetting(setting: Setting, flag: string): string {
  const bounds =
    setting.kind === 'integer'
      ? `${setting.min} to ${setting.max}, `
      : setting.kind === 'choice'
        ? `${setting.choices.join(' | ')}, `
        : ''
  const fallback = setting.default === '' ? 'not set by default' : `default ${setting.default}`
  // A secret on a command line can be read by every user of the machine, so it has no flag.
  const names = setting.secret ? setting.env : `${setting.env}, ${flag}`
  return `${names}\n    ${setting.text}\n    (${bounds}${fallback})`
}

const parseList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

/** An origin is compared as text: one with a path, capitals or a default port would never match. Pages of files have the origin null. */
function isOrigin(text: string): boolean {
  if (/^https?:$/.test(protocolOf(text))) return new URL(text).origin === text
  return text === 'null' || /^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/.test(text)
}

function parseListen(text: string): { host: string; port: number } | undefined {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(text)
  const host = match?.[1] ?? match?.[2]
  const port = Number(match?.[3])
  return host !== undefined && port <= 65_535 ? { host, port } : undefined
}

function protocolOf(text: string): string {
  try {
    return new URL(text).protocol
  } catch {
    return ''
  }
}
