import {
  formatSetting,
  type Problems,
  parseSetting,
  placeholderOf,
  type Setting,
  type SettingDefinition,
} from './config-setting.ts'
import { defaultDataDirectory } from './runtime/data-directory.ts'

const whole = (min: number, max: number, preset: number) =>
  ({ kind: 'integer', min, max, default: String(preset) }) as const

/** Every setting with its bounds, default and text. Flags, environment variables, help and the reference are generated from this list. */
export const settingList = named({
  listen: {
    kind: 'listen',
    default: '127.0.0.1:8080',
    text: 'Address to listen on, host:port; port 0 selects any free port.',
  },
  data: {
    kind: 'text',
    value: 'DIRECTORY',
    default: '',
    text: 'Directory of the embedded database, created if missing. If not set: $XDG_DATA_HOME/cheapside or ~/.local/share/cheapside, for root /var/lib/cheapside.',
  },
  databaseUrl: {
    env: 'DATABASE_URL',
    kind: 'postgres-url',
    default: '',
    secret: true,
    text: 'PostgreSQL to use instead of the embedded database, as postgres://user:password@host:port/name.',
  },
  readDatabaseUrl: {
    kind: 'postgres-url',
    default: '',
    secret: true,
    text: 'Streaming replica of that PostgreSQL to read usage from. The primary is read if no replica is set, and while the replica is unreachable or more than five seconds behind.',
  },
  databaseConnections: {
    ...whole(2, 1000, 10),
    text: 'Maximum number of connections to PostgreSQL per pool. A node has one pool for requests, one for incoming usage, one to the replica and, for minutes a day, one for training.',
  },
  server: {
    kind: 'server-url',
    default: '',
    text: 'Service that commands call, such as https://cheapside.example.com, instead of working offline or on the database of this machine; the key is read from CHEAPSIDE_KEY.',
  },
  key: {
    kind: 'key',
    default: '',
    secret: true,
    text: 'API key that commands send to the service at CHEAPSIDE_SERVER.',
  },
  currency: {
    kind: 'text',
    value: 'CODE',
    default: 'USD',
    text: 'Currency in which commands show amounts: USD, or EUR at the dated rate of the price lists.',
  },
  bootstrapKey: {
    kind: 'key',
    default: '',
    secret: true,
    text: 'The first admin key, csk_<id>_<secret>; used only while the database has no key. Without it, a key is generated and printed.',
  },
  sessionHours: {
    ...whole(1, 720, 12),
    text: 'Hours after which the console asks for the key again. A session also ends with its key.',
  },
  catalogue: {
    kind: 'text',
    value: 'FILE',
    default: '',
    text: 'Catalogue file to use instead of the shipped one.',
  },
  providers: {
    kind: 'list',
    default: '',
    text: 'Providers to enable in addition to the default ones, by key, comma-separated.',
  },
  refreshHours: {
    ...whole(0, 720, 24),
    text: "Hours between two refreshes from those of the providers' own price lists that can be read with the given credentials or without any; 0 disables them. Lists of more than 50 MB (AWS, Azure) are read seven times less often. One node at a time refreshes. Nothing is refreshed while there is only demo data.",
  },
  refreshRegions: {
    kind: 'choice',
    choices: ['used', 'all'],
    default: 'used',
    text: 'Regions that such a refresh reads of large lists: those of your nodes and machines, or all. All regions of AWS are gigabytes.',
  },
  refreshMaxMegabytes: {
    env: 'CHEAPSIDE_REFRESH_MAX_MB',
    ...whole(1, 100_000, 4000),
    text: 'Megabytes that such a refresh reads of one provider at most. If its list is larger, the previous prices stay.',
  },
  rateLimit: {
    ...whole(0, 1_000_000, 100),
    text: 'Requests per second per key; 0 disables the limit.',
  },
  rateBurst: {
    ...whole(1, 10_000_000, 200),
    text: 'Burst size of the rate limit per key, in requests.',
  },
  addressLimit: {
    ...whole(0, 1_000_000, 20),
    text: 'Requests per second without a valid key, per client address; 0 disables the limit.',
  },
  addressBurst: {
    ...whole(1, 10_000_000, 100),
    text: 'Burst size of the limit for requests without a valid key, in requests.',
  },
  openLimit: {
    ...whole(0, 1_000_000, 200),
    text: 'Requests per second per client address to endpoints that need no key: health, metrics, documentation, console; 0 disables the limit.',
  },
  openBurst: {
    ...whole(1, 10_000_000, 1000),
    text: 'Burst size of the limit for endpoints that need no key, in requests.',
  },
  connections: {
    ...whole(0, 1_000_000, 4096),
    text: 'Maximum number of open connections; 0 disables the limit.',
  },
  addressConnections: {
    ...whole(0, 1_000_000, 512),
    text: 'Maximum number of open connections per client address (per /64 network for IPv6); 0 disables the limit. Trusted proxies are exempt.',
  },
  tlsCert: {
    kind: 'text',
    value: 'FILE',
    default: '',
    text: 'PEM file with the certificate and its chain; with it and CHEAPSIDE_TLS_KEY the service serves HTTPS. Reloaded on SIGHUP.',
  },
  tlsKey: {
    kind: 'text',
    value: 'FILE',
    default: '',
    text: 'PEM file with the private key of the certificate.',
  },
  corsOrigins: {
    kind: 'origins',
    default: '',
    text: 'Web origins that may call the API from a browser, comma-separated; none by default.',
  },
  trustedProxies: {
    kind: 'list',
    default: '',
    text: 'Addresses or networks (CIDR) of proxies whose X-Forwarded-For is trusted, comma-separated.',
  },
  requestSeconds: {
    ...whole(1, 3600, 30),
    text: 'Seconds within which a client must send a complete request; the headers must arrive in half of that time.',
  },
  writeSeconds: {
    ...whole(1, 3600, 30),
    text: 'Seconds after which a client that reads nothing of its response is disconnected.',
  },
  graceSeconds: {
    ...whole(0, 3600, 20),
    text: 'Seconds that requests in progress have to finish after SIGTERM or SIGINT.',
  },
  drainSeconds: {
    ...whole(0, 3600, 5),
    text: 'Seconds after SIGTERM during which the port stays open and answers 503, so that load balancers choose another node; at most the grace time. SIGINT skips it.',
  },
  keyTrustSeconds: {
    ...whole(5, 86_400, 5),
    text: 'Seconds for which keys are accepted while the database is unreachable. A longer time bridges an outage, but a key that is revoked meanwhile stays valid that long.',
  },
  heavyReads: {
    ...whole(1, 1000, 4),
    text: 'Maximum number of concurrent heavy requests: recommendations from usage, costs and usage over time, sources, machine metadata, reviews of plans, previews of price rules, coverage by commitments, and MCP messages. One organisation gets at most half of them.',
  },
  heavyReadWaitSeconds: {
    ...whole(0, 3600, 30),
    text: 'Seconds that a request counted by CHEAPSIDE_HEAVY_READS waits in the queue before it is refused with 503.',
  },
  usageSeries: {
    ...whole(100, 100_000_000, 500_000),
    text: 'Maximum number of active usage series per organisation, and within two days of containers and processes, and of other objects such as nodes and jobs.',
  },
  costLabels: {
    kind: 'list',
    default: 'app,app.kubernetes.io/name,app.kubernetes.io/part-of,team,owner,environment,cost-center',
    text: 'Kubernetes labels of pods and namespaces to keep, so that costs can be grouped by them, comma-separated; at most 32; annotation:NAME keeps an annotation. kube-state-metrics must report them: --metric-labels-allowlist=pods=[app,team],namespaces=[team], and --metric-annotations-allowlist.',
  },
  retentionDays: {
    ...whole(1, 36_500, 90),
    text: 'Days for which usage is kept.',
  },
  retentionOf: {
    kind: 'list',
    default: '',
    text: 'Days of retention for single organisations, comma-separated: acme=30,globex=365.',
  },
  collectFrom: {
    kind: 'list',
    default: '',
    text: 'PromQL engines to collect usage from, comma-separated: cluster=http://prometheus:9090.',
  },
  collectDays: {
    ...whole(1, 3650, 30),
    text: 'Days of history that a new collection starts with.',
  },
  collectMinutes: {
    ...whole(1, 1440, 15),
    text: 'Minutes between two queries of the engines for new samples.',
  },
  collectParts: {
    ...whole(0, 16, 0),
    text: 'Number of parts into which a collection is divided by namespace, so that nodes with one database share the work; 0 means 4 with PostgreSQL and 1 otherwise.',
  },
  collectBearerFile: {
    kind: 'text',
    default: '',
    text: 'File with the bearer token for the engines; read again for each collection.',
  },
  collectTenant: {
    kind: 'text',
    default: '',
    text: 'Tenant to query, sent as X-Scope-OrgID.',
  },
  collectOrganisation: {
    kind: 'organisation',
    default: 'default',
    text: 'Organisation that collected usage is stored under.',
  },
  watchSelf: {
    kind: 'boolean',
    default: 'true',
    text: 'On Linux, also measure the machine that the service runs on, for the organisation "default". Disable it if the agent measures that machine.',
  },
  metadataUrl: {
    kind: 'url-or-none',
    default: '',
    text: "Address of the metadata service that reports which cloud the machine belongs to, instead of the clouds' own addresses; the value none disables the query.",
  },
  logLevel: {
    kind: 'choice',
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    text: 'Level of the log on standard error, one JSON object per line; debug logs every request.',
  },
})

/** Adds the names of the variables: rateLimit -> CHEAPSIDE_RATE_LIMIT */
function named<const List extends Record<string, SettingDefinition>>(list: List) {
  const variable = (name: string) =>
    `CHEAPSIDE_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`
  const settings = Object.entries(list).map(([name, one]) => [name, { env: variable(name), ...one }])
  return Object.fromEntries(settings) as { readonly [Name in keyof List]: List[Name] & Setting }
}

export type SettingName = keyof typeof settingList

interface ValueOf {
  listen: { host: string; port: number }
  text: string
  'postgres-url': string
  'server-url': string
  'url-or-none': string
  key: string
  organisation: string
  list: readonly string[]
  origins: readonly string[]
  integer: number
  boolean: boolean
  choice: string
}

export type Settings = {
  readonly [Name in SettingName]: ValueOf[(typeof settingList)[Name]['kind']]
}

export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/**
 * Reads every setting: a flag overrides the environment, which overrides the default.
 * Throws one SettingsError that lists all invalid values, one per line.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<SettingName, string>>> = {},
): Settings {
  const problems: Problems = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settingList) as [SettingName, Setting][]) {
    const flag = flags[name]
    const text = flag ?? environment[setting.env]
    const shownName = flag !== undefined ? flagOf(name) : setting.env
    values[name] = parseSetting(
      setting,
      text === undefined || text === '' ? setting.default : text,
      shownName,
      problems,
    )
  }
  if ((values.tlsCert === '') !== (values.tlsKey === ''))
    problems.push('CHEAPSIDE_TLS_CERT and CHEAPSIDE_TLS_KEY must be set together')
  if (values.readDatabaseUrl && values.databaseUrl === '')
    problems.push('CHEAPSIDE_READ_DATABASE_URL is a replica of DATABASE_URL, which must be set too')
  if (values.data === '') values.data = defaultDataDirectory(environment)
  if (problems.length > 0) throw new SettingsError(problems.join('\n'))
  return Object.freeze(values) as Settings
}

/** Variables that are read elsewhere: the addresses of price lists, which may be those of a mirror. */
const otherVariables: ReadonlySet<string> = new Set(['CHEAPSIDE_PRICE_ENDPOINTS'])
/** Kubernetes sets such variables in each pod for a service whose name begins with cheapside. */
const serviceLink = /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP)(_|$)/

/** Variables that look like settings but are not, such as misspelt ones, which would otherwise be ignored silently. */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set(Object.values(settingList).map(({ env }) => env))
  return Object.entries(environment)
    .filter(([name, value]) => name.startsWith('CHEAPSIDE_') && value !== undefined && value !== '')
    .filter(([name]) => !known.has(name) && !otherVariables.has(name))
    .filter(([name, value]) => !(serviceLink.test(name) || /^(tcp|udp):\/\//.test(value!)))
    .map(([name]) => name)
}

/** rateLimit -> --rate-limit */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** Returns the placeholder for the value of a flag: server -> URL */
export const flagValueOf = (name: SettingName): string => placeholderOf(settingList[name])

/** What `cheapside help settings` prints. */
export function describeSettings(): string {
  return (Object.entries(settingList) as [SettingName, Setting][])
    .map(([name, setting]) => formatSetting(setting, flagOf(name)))
    .join('\n\n')
}
