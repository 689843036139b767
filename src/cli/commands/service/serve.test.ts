import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the first start names a command of this copy, and SIGHUP during the start reloads the service', () => {
  const script = `
    import { setTimeout } from 'node:timers/promises'
    import { runCli } from ${JSON.stringify(join(import.meta.dirname, '../../cli.ts'))}
    import { serveCommand } from ${JSON.stringify(join(import.meta.dirname, 'serve.ts'))}
    const startService = async () => {
      process.kill(process.pid, 'SIGHUP')
      await setTimeout(200)
      console.log('started')
      return {
        url: 'http://127.0.0.1:1',
        ready: Promise.resolve('csk_first'),
        async reload() {
          console.log('reloaded')
          process.kill(process.pid, 'SIGTERM')
        },
        stop: async () => true,
      }
    }
    const alive = setInterval(() => {}, 1000)
    process.exitCode = await runCli([serveCommand(startService)], ['serve'], {}, { out: console.log, err() {} })
    clearInterval(alive)`
  const { stdout, status, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  })
  expect([status, signal]).toEqual([0, null])
  expect(stdout).toMatch(/^started\n[\s\S]*^reloaded\n/m)
  expect(stdout).toMatch(/^ {4}csk_first\n[\s\S]*^ {4}npx cheapside recommend /m)
})
