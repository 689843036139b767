import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readSettings } from '../../src/config.ts'
import type { OpenApiDocument } from '../../src/server/openapi.ts'
import { startService } from '../../src/server/wiring/service.ts'
import { schemaTypes } from './schema-types.ts'

export const documentFile = join(import.meta.dirname, '../../docs/openapi.json')
export const typesFile = join(import.meta.dirname, 'schema.ts')

/** Returns the API document of the current service, and the console's types for it. */
export async function describeService(): Promise<{ document: string; types: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'cheapside-openapi-'))
  const settings = readSettings({
    CHEAPSIDE_LISTEN: '127.0.0.1:0',
    CHEAPSIDE_DATA: directory,
    CHEAPSIDE_LOG_LEVEL: 'silent',
    CHEAPSIDE_WATCH_SELF: 'false',
  })
  const service = await startService(settings)
  try {
    await service.ready
    const api = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApiDocument
    return { document: `${JSON.stringify(api, null, 2)}\n`, types: formatted(schemaTypes(api)) }
  } finally {
    await service.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

function formatted(source: string): string {
  const manifest = createRequire(import.meta.url).resolve('@biomejs/biome/package.json')
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(dirname(manifest), 'bin/biome'), 'format', '--stdin-file-path=web/api/schema.ts'],
    { input: source, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, cwd: join(import.meta.dirname, '../..') },
  )
  if (status !== 0) throw new Error(`The types cannot be formatted: ${stderr}`)
  return stdout
}

if (import.meta.main) {
  const { document, types } = await describeService()
  writeFileSync(documentFile, document)
  writeFileSync(typesFile, types)
  console.log(`wrote ${documentFile} and ${typesFile}`)
}
