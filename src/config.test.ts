import { describe, expect, test } from 'vitest'
import { describeSettings, readSettings, SettingsError, settingList, unknownVariables } from './config.ts'
import { defaultDataDirectory } from './runtime/data-directory.ts'

test('defaults', () => {
  expect(readSettings({})).toMatchObject({
    listen: { host: '127.0.0.1', port: 8080 },
    data: defaultDataDirectory({}),
    databaseUrl: '',
    readDatabaseUrl: '',
    databaseConnections: 10,
    rateLimit: 100,
    rateBurst: 200,
    corsOrigins: [],
  })
})

test('a flag overrides the environment, and an empty variable counts as not set', () => {
  const environment = { CHEAPSIDE_DATA: '/a', CHEAPSIDE_LISTEN: '[::1]:0', CHEAPSIDE_RATE_LIMIT: '' }
  expect(readSettings(environment, { data: '/b' })).toMatchObject({
    data: '/b',
    listen: { host: '::1', port: 0 },
    rateLimit: 100,
  })
})

describe('an invalid value is reported in one line', () => {
  function check(env: string, value: string, line: string) {
    test(`${env}=${value}`, () => {
      expect(() => readSettings({ [env]: value })).toThrow(new SettingsError(line))
    })
  }
  const integer = 'CHEAPSIDE_RATE_LIMIT must be a whole number from 0 to 1000000'
  for (const value of ['-1', '1.5', '1e3', 'NaN', '1000001', ' ']) {
    check('CHEAPSIDE_RATE_LIMIT', value, `${integer}, not ${JSON.stringify(value)}`)
  }
  const listen = 'CHEAPSIDE_LISTEN must be host:port, such as 127.0.0.1:8080 or [::1]:8080'
  for (const value of ['8080', 'localhost', 'a:b', '127.0.0.1:65536', '::1:80', 'a b:80']) {
    check('CHEAPSIDE_LISTEN', value, `${listen}, not ${JSON.stringify(value)}`)
  }
  const database =
    'DATABASE_URL must be a postgres:// URL, in which /, # and ? of a password are written as %2F, %23 and %3F'
  for (const value of ['mysql://secret@host/db', 'postgres://me:se/cret@host/db', 'host=db dbname=x'])
    check('DATABASE_URL', value, database)
  const key =
    'CHEAPSIDE_BOOTSTRAP_KEY must look like csk_<id>_<secret>: an id of 12 and a secret of 32 or more letters and digits'
  check('CHEAPSIDE_BOOTSTRAP_KEY', 'csk_short_secret', key)
  const origins =
    'CHEAPSIDE_CORS_ORIGINS must be origins as browsers send them, such as https://app.example.com'
  for (const value of [
    '*',
    'app.example.com',
    'https://a.example/',
    'https://A.example',
    'https://a.example:443',
  ])
    check('CHEAPSIDE_CORS_ORIGINS', value, `${origins}, not ${JSON.stringify(value)}`)
  const metadata = 'CHEAPSIDE_METADATA_URL must be an http:// or https:// URL, or none'
  check('CHEAPSIDE_METADATA_URL', '169.254.169.254', `${metadata}, not "169.254.169.254"`)
  check(
    'CHEAPSIDE_COLLECT_ORGANISATION',
    'Team A',
    'CHEAPSIDE_COLLECT_ORGANISATION must be 1 to 63 lower-case letters, digits and dashes, and not start with a dash, not "Team A"',
  )
  check(
    'CHEAPSIDE_READ_DATABASE_URL',
    'postgres://replica/db',
    'CHEAPSIDE_READ_DATABASE_URL is a replica of DATABASE_URL, which must be set too',
  )
})

test('origins of pages, browser extensions and files are accepted', () => {
  const origins = ['https://a.example:8443', 'http://127.0.0.1:3000', 'chrome-extension://abc', 'null']
  expect(readSettings({ CHEAPSIDE_CORS_ORIGINS: origins.join(', ') }).corsOrigins).toEqual(origins)
})

test('all invalid values are reported at once, and no secret is printed', () => {
  const bad = { CHEAPSIDE_LISTEN: 'x', CHEAPSIDE_BOOTSTRAP_KEY: 'hunter2', CHEAPSIDE_LOG_LEVEL: 'loud' }
  expect(() => readSettings(bad)).toThrow(/CHEAPSIDE_LISTEN.*CHEAPSIDE_BOOTSTRAP_KEY.*CHEAPSIDE_LOG_LEVEL/s)
  expect(() => readSettings(bad)).not.toThrow(/hunter2/)
})

test('variables that look like settings but are not are listed, except those that Kubernetes sets for a service', () => {
  const environment = {
    CHEAPSIDE_PORT: '9000',
    CHEAPSIDE_RATELIMIT: '1',
    CHEAPSIDE_EMPTY: '',
    HOME: '/root',
    CHEAPSIDE_LISTEN: '127.0.0.1:0',
    CHEAPSIDE_PRICE_ENDPOINTS: '',
    CHEAPSIDE_SERVER: 'http://a',
  }
  expect(unknownVariables(environment)).toEqual(['CHEAPSIDE_PORT', 'CHEAPSIDE_RATELIMIT'])
  const links = {
    CHEAPSIDE_PORT: 'tcp://10.0.0.1:8080',
    CHEAPSIDE_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
    CHEAPSIDE_PORT_8080_TCP_ADDR: '10.0.0.1',
    CHEAPSIDE_SERVICE_HOST: '10.0.0.1',
    CHEAPSIDE_SERVICE_PORT_HTTP: '8080',
    CHEAPSIDE_WRITE_SERVICE_HOST: '10.0.0.2',
    CHEAPSIDE_WRITE_PORT: 'tcp://10.0.0.2:8080',
  }
  expect(unknownVariables(links)).toEqual([])
})

test('help names every setting with its default', () => {
  const help = describeSettings()
  for (const setting of Object.values(settingList)) {
    expect(help).toContain(setting.env)
    expect(help).toContain(setting.default === '' ? 'not set by default' : `default ${setting.default}`)
  }
})
