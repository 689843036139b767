import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, expect } from 'vitest'
import { testWith } from './peers/test-with.ts'
import {
  eventually,
  type RunningService,
  runCommand,
  runProcess,
  smallCatalogue,
  startService,
} from './service.ts'

const test = testWith('openssl')

const directory = mkdtempSync(join(tmpdir(), 'cheapside-tls-'))
const cert = join(directory, 'tls.crt')
const key = join(directory, 'tls.key')
const env = { CHEAPSIDE_CATALOGUE: smallCatalogue, CHEAPSIDE_TLS_CERT: cert, CHEAPSIDE_TLS_KEY: key }
let service: RunningService

function certify(name: string): void {
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']
  const made = [join(directory, 'new.key'), join(directory, 'new.crt')] as const
  const files = ['-keyout', made[0], '-out', made[1]]
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files],
    {
      stdio: 'ignore',
    },
  )
  copyFileSync(made[0], key)
  copyFileSync(made[1], cert)
}

/** The name in the server's certificate, and the protocol. */
function shown(): Promise<{ name: string; protocol: string | null }> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      port: Number(new URL(service.url).port),
      host: '127.0.0.1',
      ca: readFileSync(cert),
    })
    socket.once('error', reject)
    socket.once('secureConnect', () => {
      resolve({ name: String(socket.getPeerCertificate().subject.CN), protocol: socket.getProtocol() })
      socket.destroy()
    })
  })
}

beforeAll(async () => {
  certify('first')
  service = await startService({ env })
})
afterAll(async () => {
  await service.stop()
  rmSync(directory, { recursive: true, force: true })
})

test('the service itself serves HTTPS, and reports an https URL', async () => {
  expect(service.url).toMatch(/^https:/)
  expect(await shown()).toEqual({ name: 'first', protocol: 'TLSv1.3' })
  const listen = { CHEAPSIDE_LISTEN: new URL(service.url).host }
  expect(await runCommand(['health'], { ...env, ...listen })).toMatchObject({ code: 0, out: 'ready\n' })
})

test('SIGHUP loads a new certificate; an invalid one changes nothing', async () => {
  certify('second')
  service.child.kill('SIGHUP')
  // Until the service has loaded it, the client does not trust the certificate.
  await eventually(async () => (await shown().catch(() => undefined))?.name === 'second')
  const good = readFileSync(cert)
  writeFileSync(cert, 'broken')
  service.child.kill('SIGHUP')
  await eventually(async () => service.output.err.includes('the previous one stays in use'))
  writeFileSync(cert, good)
  expect((await shown()).name).toBe('second')
})

test('unusable files are reported in one line', async () => {
  const serve = (settings: Record<string, string>) =>
    runProcess(['serve'], {
      CHEAPSIDE_DATA: join(directory, 'data'),
      CHEAPSIDE_LISTEN: '127.0.0.1:0',
      ...settings,
    })
  expect(await serve({ CHEAPSIDE_TLS_CERT: cert })).toMatchObject({
    code: 2,
    err: 'cheapside: CHEAPSIDE_TLS_CERT and CHEAPSIDE_TLS_KEY must be set together\n',
  })
  const absent = join(directory, 'absent')
  expect((await serve({ ...env, CHEAPSIDE_TLS_KEY: absent })).err).toMatch(
    /^cheapside: [^\n]*no such file[^\n]*\n$/,
  )
  expect((await runCommand(['health'], { CHEAPSIDE_LISTEN: '127.0.0.1:1' })).err).toMatch(
    /^cheapside health: http:\/\/127\.0\.0\.1:1 does not answer: [^\n]+\n$/,
  )
})
