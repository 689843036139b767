import { type SettingName, type Settings, settingList, unknownVariables } from '../../../config.ts'
import { noticeOfOldData } from '../../../runtime/data-directory.ts'
import { programCommand } from '../../../runtime/program-files.ts'
import type { Service } from '../../../server/wiring/service.ts'
import { type Call, type Command, CommandFailure, exitCode } from '../../command.ts'

type StartService = (settings: Settings, environment: Call['environment']) => Promise<Service>

/** Every setting that contains no secret can be a flag. */
const flags = (Object.keys(settingList) as SettingName[]).filter(
  (name) => name !== 'server' && !('secret' in settingList[name]),
)

export function serveCommand(startService: StartService): Command {
  return {
    name: 'serve',
    summary: 'Run the service',
    settings: flags,
    notes:
      'SIGTERM and SIGINT let requests in progress finish, then exit 0. The first start prints an API key once.',
    run: async ({ settings, environment, out, err, json }) => {
      const stopped = stopSignal()
      // A signal during the start must not end the process: it takes effect as soon as the service has started.
      const reloadable = Promise.withResolvers<Service>()
      process.on('SIGHUP', () => void reloadable.promise.then((service) => service.reload()))
      for (const name of unknownVariables(environment))
        err(`cheapside serve: ${name} is not a setting and is ignored; see cheapside help settings`)
      const service = await startService(settings, environment).catch((error: NodeJS.ErrnoException) => {
        throw plain(error, settings)
      })
      if (settings.databaseUrl === '') {
        const notice = noticeOfOldData(settings.data, environment)
        if (notice !== undefined) err(`cheapside serve: ${notice}`)
      }
      const data = settings.databaseUrl === '' ? settings.data : 'PostgreSQL'
      out(
        json
          ? JSON.stringify({ url: service.url, data })
          : `Cheapside listens on ${service.url}, and stores its data in ${data}`,
      )
      reloadable.resolve(service)
      const started = service.ready.then((key) => {
        if (key !== undefined) out(json ? JSON.stringify({ key }) : firstKeyText(key, service.url))
        return stopped
      })
      try {
        await Promise.race([started, stopped])
      } catch (error) {
        await service.stop()
        throw plain(error as Error, settings)
      }
      const keepListening = (await stopped) === 'SIGTERM'
      if (!(await service.stop({ keepListening })))
        err('cheapside serve: some requests did not finish within the grace time')
      return exitCode.done
    },
  }
}

function firstKeyText(key: string, url: string): string {
  return [
    '',
    `Open ${url} in a browser.`,
    'Your first API key, shown only once and not stored, to sign in there and for programs:',
    '',
    `    ${key}`,
    '',
    'Try in another terminal, which needs no key:',
    '',
    `    ${programCommand} recommend --provider aws --region us-east-1 --type m5.xlarge`,
    '',
    `API documentation: ${url}/docs`,
    '',
  ].join('\n')
}

/** If a launcher started this process, the end of the launcher counts as a signal too. */
function stopSignal(): Promise<'SIGTERM' | 'SIGINT' | 'disconnect'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal))
    process.on('disconnect', () => resolve('disconnect'))
    process.channel?.unref()
  })
}

function plain(error: NodeJS.ErrnoException, { listen }: Settings): Error {
  const where = `${listen.host}:${listen.port}`
  const reasons: Record<string, string> = {
    EADDRINUSE: `${where} is in use by another program; choose another address with CHEAPSIDE_LISTEN`,
    EACCES: `this user may not listen on ${where}; choose another address with CHEAPSIDE_LISTEN`,
    EADDRNOTAVAIL: `${listen.host} is not an address of this machine; choose another with CHEAPSIDE_LISTEN`,
    ENOTFOUND: `${listen.host} is not an address of this machine; choose another with CHEAPSIDE_LISTEN`,
  }
  const reason =
    error.syscall === 'listen' || error.syscall === 'getaddrinfo' ? reasons[error.code ?? ''] : undefined
  return reason === undefined ? error : new CommandFailure(reason)
}
