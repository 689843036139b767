import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replicaName } from './spool-lock.ts'

test('agents with another spool or on another machine have different names, which survive restarts', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-replica-'))
  const [one, other] = ['one', 'other'].map((id) => {
    writeFileSync(join(directory, id), `${id}\n`)
    return join(directory, id)
  })
  const names = [
    replicaName('/spool', one),
    replicaName('/spool', other),
    replicaName('/other-spool', one),
    replicaName('/spool', join(directory, 'missing')),
  ]
  expect(new Set(names).size).toBe(4)
  expect(replicaName('/spool', one)).toBe(names[0])
  rmSync(directory, { recursive: true })
})
