import { expect, test } from 'vitest'
import { readSettings } from '../../../config.ts'
import type { Call } from '../../command.ts'
import { serveCommand } from './serve.ts'

test('SIGHUP during the start reloads the service as soon as it has started', async () => {
  const signals = ['SIGHUP', 'SIGTERM', 'SIGINT', 'disconnect'] as const
  const before = signals.map((signal) => process.listeners(signal as NodeJS.Signals))
  let reloads = 0
  const command = serveCommand(async () => {
    // Without a listener, the signal would end the process.
    expect(process.emit('SIGHUP')).toBe(true)
    return {
      url: 'http://127.0.0.1:1',
      ready: Promise.resolve(undefined),
      async reload() {
        reloads++
        process.emit('SIGTERM')
      },
      stop: async () => true,
    }
  })
  const call = { settings: readSettings({}), environment: {}, json: true, out() {}, err() {} }
  try {
    expect(await command.run(call as unknown as Call)).toBe(0)
    expect(reloads).toBe(1)
  } finally {
    for (const [index, signal] of signals.entries())
      for (const listener of process.listeners(signal as NodeJS.Signals))
        if (!before[index]!.includes(listener)) process.off(signal, listener)
  }
})
