import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type Call, type Command, CommandFailure, exitCode } from '../../command.ts'

const timeoutMs = 5000

/** A health check for container engines and scripts that needs no key and no other program. */
export const healthCommand: Command = {
  name: 'health',
  summary:
    'Check whether the service on this machine, or at --server, accepts requests; exit 1 if it does not',
  settings: ['server', 'listen'],
  run: async (call) => {
    const url = new URL('/readyz', call.settings.server || ownAddress(call))
    const { status, text } = await ask(url).catch((error: Error) => {
      throw new CommandFailure(`${url.origin} does not answer: ${error.message}`)
    })
    if (status !== 200) throw new CommandFailure(`${url.origin} is not ready: ${text}`)
    call.out(call.json ? text : 'ready')
    return exitCode.done
  },
}

function ownAddress({ settings: { listen, tlsCert } }: Call): string {
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[listen.host] ?? listen.host
  return `${tlsCert === '' ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${listen.port}`
}

function ask(url: URL): Promise<{ status: number | undefined; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; text: string }>()
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  // Nothing secret is sent or received, and a certificate seldom includes the loopback address.
  const options = { timeout: timeoutMs, agent: false, rejectUnauthorized: false }
  const asked = request(url, options, async (response) => {
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk
    resolve({ status: response.statusCode, text })
  })
  asked.on('timeout', () => asked.destroy(new Error(`no response within ${timeoutMs / 1000} s`)))
  asked.on('error', reject)
  asked.end()
  return promise
}
