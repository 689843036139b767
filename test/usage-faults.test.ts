import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { testWith } from './peers/test-with.ts'
import { ask, basicEnv, eventually } from './service.ts'
import { push, series, usageOf, withStoreOf } from './usage-cluster.ts'
import { key, killDuringStream, scratch } from './usage-faults.case.ts'

killDuringStream(3)

testWith('util-linux')(
  'a full disk: 503, and recovery when there is space again',
  async () => {
    const directory = mkdtempSync(join(scratch, 'full-'))
    const launcher = join(import.meta.dirname, '../bin/cheapside.js')
    // No file may grow beyond 3 MiB (in blocks of 512 bytes), which looks like a full disk to the database.
    const child = spawn(
      'sh',
      [
        '-c',
        `trap '' XFSZ; ulimit -S -f 6144; exec "$0" "$@"`,
        process.execPath,
        launcher,
        'serve',
        '--json',
      ],
      {
        env: {
          ...basicEnv,
          CHEAPSIDE_LISTEN: '127.0.0.1:0',
          CHEAPSIDE_DATA: directory,
          CHEAPSIDE_BOOTSTRAP_KEY: key,
          CHEAPSIDE_REFRESH_HOURS: '0',
          CHEAPSIDE_RATE_LIMIT: '0',
          CHEAPSIDE_LOG_LEVEL: 'fatal',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    try {
      let out = ''
      child.stdout.on('data', (chunk) => {
        out += chunk
      })
      const url = await eventually(async () => /"url":"([^"]+)"/.exec(out)?.[1])
      await eventually(async () => (await ask(url, '/readyz')).status === 200)
      let acknowledged = 0
      const send = (timeMs: number) => {
        const pods = Array.from({ length: 300 }, () => {
          const labels = { namespace: 'shop', pod: crypto.randomUUID(), container: 'app' }
          const image = randomBytes(1000).toString('base64')
          return series('container_memory_working_set_bytes', { ...labels, image }, { timeMs, value: 1e9 })
        })
        return push({ url, key }, pods)
      }
      const refused = await eventually(async () => {
        const answer = await send(Date.now())
        if (answer.status === 204) acknowledged++
        return answer.status !== 204 && answer
      })
      expect([refused.status, refused.json.code]).toEqual([503, 'store-unavailable'])
      expect(refused.json.detail).toContain('accepts no writes')
      expect(refused.headers.get('retry-after')).toBe('1')
      expect((await ask(url, '/healthz')).status).toBe(200)
      execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited'])
      await eventually(async () => (await send(Date.now())).status === 204)
      await withStoreOf({ directory }, async (store) => {
        await eventually(async () => (await store.usage.partitions()).every(({ pending }) => !pending))
        expect((await usageOf(store)).size).toBeGreaterThanOrEqual((acknowledged + 1) * 300)
      })
    } finally {
      child.kill('SIGKILL')
    }
  },
  120_000,
)
