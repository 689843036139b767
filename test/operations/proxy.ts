import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { debianPath } from '../peers/debian-binary.ts'

export interface ReverseProxy {
  stop(): Promise<void>
}

/** A real nginx with the given servers in its http block. */
export function startNginx(servers: string): Promise<ReverseProxy> {
  return start(debianPath('usr/sbin/nginx', 'nginx'), (directory) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${join(directory, name)};`)
      .join('\n')
    const file = join(directory, 'nginx.conf')
    // If root starts nginx, its workers run as another user, who could not access the directory.
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    writeFileSync(
      file,
      `daemon off; ${user} pid ${join(directory, 'pid')}; events {}\nhttp {\naccess_log off;\n${temporary}\n${servers}\n}\n`,
    )
    return ['-e', 'stderr', '-c', file]
  })
}

/** A real Caddy with the given sites. */
export function startCaddy(sites: string): Promise<ReverseProxy> {
  return start(debianPath('usr/bin/caddy', 'caddy'), (directory) => {
    const file = join(directory, 'Caddyfile')
    writeFileSync(file, `{\nadmin off\nauto_https disable_redirects\n}\n${sites}`)
    return ['run', '--adapter', 'caddyfile', '--config', file]
  })
}

async function start(program: string, words: (directory: string) => string[]): Promise<ReverseProxy> {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-proxy-'))
  const child = spawn(program, words(directory), {
    stdio: 'ignore',
    env: { PATH: process.env.PATH, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
  })
  const ended = once(child, 'exit')
  return {
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export interface Certificate {
  readonly cert: string
  readonly key: string
}

export function certificateFor(name: string, directory: string): Certificate {
  const [cert, key] = [join(directory, 'tls.crt'), join(directory, 'tls.key')]
  const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${name}`]
  const more = ['-addext', `subjectAltName=DNS:${name}`, '-keyout', key, '-out', cert]
  execFileSync('openssl', [...words, ...more], { stdio: 'ignore' })
  return { cert, key }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Sends a request to this machine under another host name, for which the certificate must be valid. */
export function askAs(
  name: string,
  port: number,
  ca: Buffer,
  path: string,
  { key = '', body }: { key?: string; body?: string } = {},
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', host: name }
    const method = body === undefined ? 'GET' : 'POST'
    const options = { host: '127.0.0.1', port, path, ca, servername: name, headers, method, agent: false }
    const asked = request(options, async (response) => {
      let text = ''
      for await (const chunk of response.setEncoding('utf8')) text += chunk
      resolve({ status: response.statusCode!, text })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}
