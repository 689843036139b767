import { formatSetting, type Problems, parseSetting, type SettingDefinition } from './config-setting.ts'
import { defaultDataFolder } from './data-folder.ts'

/** Every setting, with its bounds, default and text; flags, environment, help and docs grow from this list. */
export const settingList = {
  listen: {
    env: 'CHEAPSIDE_LISTEN',
    kind: 'listen',
    default: '127.0.0.1:8080',
    text: 'Address to serve on, host:port; port 0 takes any free one.',
  },
  data: {
    env: 'CHEAPSIDE_DATA',
    kind: 'text',
    default: '',
    text: 'Folder of the embedded database; made if it is not there. Where it is not set: $XDG_DATA_HOME/cheapside or ~/.local/share/cheapside, for root /var/lib/cheapside.',
  },
  databaseUrl: {
    env: 'DATABASE_URL',
    kind: 'postgres-url',
    default: '',
    secret: true,
    text: 'PostgreSQL to use instead of the embedded database, as postgres://user:password@host:port/name.',
  },
  server: {
    env: 'CHEAPSIDE_SERVER',
    kind: 'server-url',
    default: '',
    text: 'Service that commands work on, such as https://cheapside.example.com, instead of the database on this machine; it takes the key in CHEAPSIDE_KEY.',
  },
  key: {
    env: 'CHEAPSIDE_KEY',
    kind: 'key',
    default: '',
    secret: true,
    text: 'The API key that commands show to the service at CHEAPSIDE_SERVER.',
  },
  bootstrapKey: {
    env: 'CHEAPSIDE_BOOTSTRAP_KEY',
    kind: 'key',
    default: '',
    secret: true,
    text: 'The first admin key, csk_<id>_<secret>; taken only while the database has no key. Without it one is made and printed.',
  },
  catalogue: {
    env: 'CHEAPSIDE_CATALOGUE',
    kind: 'text',
    default: '',
    text: 'Catalogue file to serve instead of the shipped one.',
  },
  providers: {
    env: 'CHEAPSIDE_PROVIDERS',
    kind: 'list',
    default: '',
    text: 'More providers to turn on besides the usual ones, by key, comma-separated.',
  },
  refreshHours: {
    env: 'CHEAPSIDE_REFRESH_HOURS',
    kind: 'integer',
    min: 0,
    max: 720,
    default: '0',
    text: "Hours between two refreshes from the providers' own price lists, which one node at a time does; 0: never. Usual: 24. The lists are gigabytes.",
  },
  rateLimit: {
    env: 'CHEAPSIDE_RATE_LIMIT',
    kind: 'integer',
    min: 0,
    max: 1_000_000,
    default: '100',
    text: 'Requests a second per key; 0 turns the limit off.',
  },
  rateBurst: {
    env: 'CHEAPSIDE_RATE_BURST',
    kind: 'integer',
    min: 1,
    max: 10_000_000,
    default: '200',
    text: 'Requests a key may make at once before its rate limit holds.',
  },
  addressLimit: {
    env: 'CHEAPSIDE_ADDRESS_LIMIT',
    kind: 'integer',
    min: 0,
    max: 1_000_000,
    default: '20',
    text: 'Requests a second per address that carry no valid key; 0 turns the limit off.',
  },
  addressBurst: {
    env: 'CHEAPSIDE_ADDRESS_BURST',
    kind: 'integer',
    min: 1,
    max: 10_000_000,
    default: '100',
    text: 'Requests without a valid key that an address may make at once before its limit holds.',
  },
  openLimit: {
    env: 'CHEAPSIDE_OPEN_LIMIT',
    kind: 'integer',
    min: 0,
    max: 1_000_000,
    default: '200',
    text: 'Requests a second per address to what needs no key: health, metrics, documentation, console; 0 turns the limit off.',
  },
  openBurst: {
    env: 'CHEAPSIDE_OPEN_BURST',
    kind: 'integer',
    min: 1,
    max: 10_000_000,
    default: '1000',
    text: 'Requests to what needs no key that an address may make at once before its limit holds.',
  },
  connections: {
    env: 'CHEAPSIDE_CONNECTIONS',
    kind: 'integer',
    min: 0,
    max: 1_000_000,
    default: '4096',
    text: 'Connections that may be open at a time; 0: any number.',
  },
  addressConnections: {
    env: 'CHEAPSIDE_ADDRESS_CONNECTIONS',
    kind: 'integer',
    min: 0,
    max: 1_000_000,
    default: '512',
    text: 'Connections that one address, or one IPv6 network of 64 bits, may have open; 0: any number. Trusted proxies may have more.',
  },
  tlsCert: {
    env: 'CHEAPSIDE_TLS_CERT',
    kind: 'text',
    default: '',
    text: 'File with the certificate, and those that vouch for it, as PEM; with it and CHEAPSIDE_TLS_KEY the service speaks HTTPS. Read again on SIGHUP.',
  },
  tlsKey: {
    env: 'CHEAPSIDE_TLS_KEY',
    kind: 'text',
    default: '',
    text: 'File with the private key of the certificate, as PEM.',
  },
  corsOrigins: {
    env: 'CHEAPSIDE_CORS_ORIGINS',
    kind: 'list',
    default: '',
    text: 'Web origins that may call the API from a browser, comma-separated; none by default.',
  },
  trustedProxies: {
    env: 'CHEAPSIDE_TRUSTED_PROXIES',
    kind: 'list',
    default: '',
    text: 'Addresses or networks (CIDR) of proxies whose X-Forwarded-For is believed, comma-separated.',
  },
  requestSeconds: {
    env: 'CHEAPSIDE_REQUEST_SECONDS',
    kind: 'integer',
    min: 1,
    max: 3600,
    default: '30',
    text: 'Time a client has to send a whole request; headers alone must arrive in half of it.',
  },
  writeSeconds: {
    env: 'CHEAPSIDE_WRITE_SECONDS',
    kind: 'integer',
    min: 1,
    max: 3600,
    default: '30',
    text: 'Time after which a client that takes nothing of its answer is cut off.',
  },
  graceSeconds: {
    env: 'CHEAPSIDE_GRACE_SECONDS',
    kind: 'integer',
    min: 0,
    max: 3600,
    default: '20',
    text: 'After SIGTERM or SIGINT, time for work under way to finish.',
  },
  drainSeconds: {
    env: 'CHEAPSIDE_DRAIN_SECONDS',
    kind: 'integer',
    min: 0,
    max: 3600,
    default: '5',
    text: 'After SIGTERM, time for which the port stays open and answers 503, so that load balancers turn elsewhere; no longer than the grace time. SIGINT does without.',
  },
  keyTrustSeconds: {
    env: 'CHEAPSIDE_KEY_TRUST_SECONDS',
    kind: 'integer',
    min: 5,
    max: 86_400,
    default: '5',
    text: 'How long keys are honoured while the database cannot be asked. Longer rides out an outage, and lets a key revoked meanwhile live as long.',
  },
  heavyReads: {
    env: 'CHEAPSIDE_HEAVY_READS',
    kind: 'integer',
    min: 1,
    max: 1000,
    default: '4',
    text: 'Recommendations for namespaces and machines that are worked on at a time; one organisation has half of them at most.',
  },
  heavyReadWaitSeconds: {
    env: 'CHEAPSIDE_HEAVY_READ_WAIT_SECONDS',
    kind: 'integer',
    min: 0,
    max: 3600,
    default: '30',
    text: 'How long such a request waits for its turn before it is refused with 503.',
  },
  usageSeries: {
    env: 'CHEAPSIDE_USAGE_SERIES',
    kind: 'integer',
    min: 100,
    max: 100_000_000,
    default: '500000',
    text: 'Series of use that an organisation may send at a time, and containers and processes within two days.',
  },
  retentionDays: {
    env: 'CHEAPSIDE_RETENTION_DAYS',
    kind: 'integer',
    min: 1,
    max: 36_500,
    default: '90',
    text: 'How long usage is kept.',
  },
  retentionOf: {
    env: 'CHEAPSIDE_RETENTION_OF',
    kind: 'list',
    default: '',
    text: 'Organisations that keep usage for another time, comma-separated: acme=30,globex=365.',
  },
  collectFrom: {
    env: 'CHEAPSIDE_COLLECT_FROM',
    kind: 'list',
    default: '',
    text: 'PromQL engines to collect usage from, comma-separated: cluster=http://prometheus:9090.',
  },
  collectDays: {
    env: 'CHEAPSIDE_COLLECT_DAYS',
    kind: 'integer',
    min: 1,
    max: 3650,
    default: '30',
    text: 'Days of history that a new collection begins with.',
  },
  collectMinutes: {
    env: 'CHEAPSIDE_COLLECT_MINUTES',
    kind: 'integer',
    min: 1,
    max: 1440,
    default: '15',
    text: 'How often engines are asked for what is new.',
  },
  collectBearerFile: {
    env: 'CHEAPSIDE_COLLECT_BEARER_FILE',
    kind: 'text',
    default: '',
    text: 'File with the bearer token that the engines want; read again for each collection.',
  },
  collectTenant: {
    env: 'CHEAPSIDE_COLLECT_TENANT',
    kind: 'text',
    default: '',
    text: 'Tenant to ask for, as X-Scope-OrgID.',
  },
  collectOrganisation: {
    env: 'CHEAPSIDE_COLLECT_ORGANISATION',
    kind: 'text',
    default: 'default',
    text: 'Organisation whose usage is collected.',
  },
  watchSelf: {
    env: 'CHEAPSIDE_WATCH_SELF',
    kind: 'boolean',
    default: 'true',
    text: 'On Linux, also watch the machine the service runs on, for the organisation "default". Turn it off where the agent watches that machine.',
  },
  metadataUrl: {
    env: 'CHEAPSIDE_METADATA_URL',
    kind: 'text',
    default: '',
    text: "Where to ask which cloud's machine the service runs on, instead of the clouds' own addresses; none asks nobody.",
  },
  logLevel: {
    env: 'CHEAPSIDE_LOG_LEVEL',
    kind: 'choice',
    choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    default: 'info',
    text: 'What is logged to standard error, one JSON object a line; debug logs every request.',
  },
} as const satisfies Record<string, SettingDefinition>

export type SettingName = keyof typeof settingList

interface ValueOf {
  listen: { host: string; port: number }
  text: string
  'postgres-url': string
  'server-url': string
  key: string
  list: readonly string[]
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
 * Reads every setting: a flag before the environment before the default.
 * Throws one SettingsError that names all bad values, a line each.
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<SettingName, string>>> = {},
): Settings {
  const problems: Problems = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settingList) as [SettingName, SettingDefinition][]) {
    const flag = flags[name]
    const text = flag ?? environment[setting.env]
    const said = flag !== undefined ? flagOf(name) : setting.env
    values[name] = parseSetting(
      setting,
      text === undefined || text === '' ? setting.default : text,
      said,
      problems,
    )
  }
  if ((values.tlsCert === '') !== (values.tlsKey === ''))
    problems.push('CHEAPSIDE_TLS_CERT and CHEAPSIDE_TLS_KEY go together')
  if (values.data === '') values.data = defaultDataFolder(environment)
  if (problems.length > 0) throw new SettingsError(problems.join('\n'))
  return Object.freeze(values) as Settings
}

/** rateLimit -> --rate-limit */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** What `cheapside help settings` prints. */
export function describeSettings(): string {
  return (Object.entries(settingList) as [SettingName, SettingDefinition][])
    .map(([name, setting]) => formatSetting(setting, flagOf(name)))
    .join('\n\n')
}
