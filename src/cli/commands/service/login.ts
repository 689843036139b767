import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { KeyDescription } from '../../../server/access/schema.ts'
import { type Call, type Command, CommandFailure, exitCode, textOption, UsageError } from '../../command.ts'
import { noContext, readContexts, writeContexts } from '../../contexts.ts'
import { readInput } from '../../read-json.ts'
import { renderTable } from '../../render/table.ts'
import { remoteService } from '../../server.ts'

export const loginCommands: readonly Command[] = [
  {
    name: 'login',
    summary: 'Store the address and a key of a service, which commands then use',
    operands: '[URL]',
    options: {
      'key-file': textOption(
        'FILE',
        'File with the key; - reads standard input; default: CHEAPSIDE_KEY, or ask for it',
      ),
      name: textOption('NAME', 'Name of the context; default: the host of the service'),
    },
    notes:
      'The key is stored in ~/.config/cheapside/contexts.json ($XDG_CONFIG_HOME), which only you can read.\n' +
      '--context NAME uses another context for one command, and --context none no service.\n' +
      '--server and CHEAPSIDE_SERVER override contexts. `cheapside contexts NAME` changes the current one.',
    run: async (call) => {
      const server = call.operands[0] ?? call.settings.server
      if (!/^https?:\/\//.test(server) || !URL.canParse(server))
        throw new UsageError('URL must be the address of a service, such as https://cheapside.example.com')
      const name = call.text('name') ?? new URL(server).host
      if (name === noContext || !/^[\w.:[\]-]{1,100}$/.test(name))
        throw new UsageError('--name must have letters, digits, dots and dashes, and not be none')
      const key = await keyFor(call, server)
      const address = server.replace(/\/+$/, '')
      const { organisation, scopes } = await remoteService(address, key).ask<KeyDescription>('/key')
      const { contexts } = readContexts(call.environment)
      const file = writeContexts(call.environment, {
        current: name,
        contexts: { ...contexts, [name]: { server: address, key } },
      })
      return call.show(
        { context: name, server: address, organisation, scopes },
        () => `Logged in to ${address} as ${organisation} (${scopes.join(', ')}). Stored in ${file}.`,
      )
    },
  },
  {
    name: 'logout',
    summary: 'Remove the stored key of the current context; revoke it with keys revoke',
    operands: '[CONTEXT]',
    run: async (call) => {
      const { current, contexts } = readContexts(call.environment)
      const name = call.operands[0] ?? current
      const { [name]: removed, ...others } = contexts
      if (removed === undefined)
        throw new CommandFailure(name === '' ? 'you are not logged in' : noSuch(name))
      writeContexts(call.environment, { current: name === current ? '' : current, contexts: others })
      return call.show({ removed: name }, () => `Removed the context ${name}.`)
    },
  },
  {
    name: 'contexts',
    summary: 'List the stored services, or make one of them current; none for no service',
    operands: '[CONTEXT]',
    run: async (call) => {
      const stored = readContexts(call.environment)
      const [name] = call.operands
      if (name !== undefined) {
        if (name !== noContext && !Object.hasOwn(stored.contexts, name))
          throw new CommandFailure(noSuch(name))
        writeContexts(call.environment, { ...stored, current: name === noContext ? '' : name })
        return call.show(
          { current: name },
          () => `Commands now use ${name === noContext ? 'no service' : name}.`,
        )
      }
      const rows = Object.entries(stored.contexts).map(([name, { server }]) => ({
        name,
        server,
        current: name === stored.current,
      }))
      if (call.json) call.out(JSON.stringify({ contexts: rows }))
      else if (rows.length === 0) call.out('No service is stored; cheapside login URL stores one.')
      else
        call.out(
          renderTable([
            ['CONTEXT', 'SERVER', 'CURRENT'],
            ...rows.map(({ name, server, current }) => [name, server, current ? 'yes' : '']),
          ]),
        )
      return exitCode.done
    },
  },
]

const noSuch = (name: string): string =>
  `there is no context ${JSON.stringify(name)}; cheapside contexts lists them`

async function keyFor(call: Call, server: string): Promise<string> {
  const file = call.text('key-file')
  const key = file === undefined ? call.settings.key || (await askKey(server)) : String(await readInput(file))
  if (key.trim() === '')
    throw new UsageError('--key-file or CHEAPSIDE_KEY must contain an API key of the service')
  return key.trim()
}

/** Asks on the terminal without showing what is typed. */
async function askKey(server: string): Promise<string> {
  if (!process.stdin.isTTY) return ''
  process.stderr.write(`API key of ${server}: `)
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: hidden, terminal: true })
  try {
    return await terminal.question('')
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
