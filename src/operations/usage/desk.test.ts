import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeRequest } from '../../collectors/remote-write/encode.case.ts'
import type { Store } from '../../store/port.ts'
import { openSqliteStore } from '../../store/sqlite/store.ts'
import { UsageDesk } from './desk.ts'
import { Overloaded } from './group-commit.ts'

const folder = mkdtempSync(join(tmpdir(), 'cheapside-desk-'))
let store: Store
beforeAll(async () => {
  store = await openSqliteStore({ folder })
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const request = (organisation: string, pod: string) => ({
  organisation,
  format: 'remote-write-1' as const,
  cluster: 'c',
  body: encodeRequest([
    {
      labels: [
        ['__name__', 'container_memory_working_set_bytes'],
        ['container', 'app'],
        ['namespace', 'shop'],
        ['pod', pod],
      ],
      samples: [{ timeMs: Date.now(), value: 1 }],
    },
  ]).slice(),
})

const newDesk = (isMemoryShort = () => false) =>
  new UsageDesk({ store, holder: 'me', now: Date.now, log: () => undefined }, 100, isMemoryShort)

test('who sends more than is digested is held up, and nobody else', async () => {
  const desk = newDesk()
  desk.digesting.backlogBytesOf = (organisation) => (organisation === 'behind' ? 2 ** 30 : 0)
  await expect(desk.receive(request('behind', 'a'))).rejects.toThrow(Overloaded)
  expect(await desk.receive(request('other', 'a'))).toMatchObject({ understood: 1 })
  await desk.stop()
})

test('where memory is short what is known goes on', async () => {
  let isShort = false
  const desk = newDesk(() => isShort)
  expect(await desk.receive(request('acme', 'a'))).toMatchObject({ understood: 1 })
  isShort = true
  expect(await desk.receive(request('acme', 'a'))).toMatchObject({ understood: 1, refused: 0 })
  expect(await desk.receive(request('acme', 'b'))).toMatchObject({
    understood: 0,
    refused: 1,
    refusal: { code: 'overloaded' },
  })
  expect(desk.figures().received).toMatchObject({ understood: 2, refused: 1 })
  await desk.stop()
})
