import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Declarations } from './declarations.ts'

test('entries of a directory that cannot be read as files are left out', () => {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-terraform-'))
  symlinkSync(join(directory, 'missing'), join(directory, 'backend.tf'))
  mkdirSync(join(directory, 'modules.tf'))
  writeFileSync(
    join(directory, 'web.tf'),
    '\nresource "aws_instance" "web" {\n  instance_type = "m5.large"\n}\n',
  )
  const found = new Declarations(directory).find({}, 'aws_instance.web', 'm5.large')
  expect(found).toEqual({ file: join(directory, 'web.tf'), line: 3 })
  rmSync(directory, { recursive: true })
})
