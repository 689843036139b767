import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { BuildManifest } from '../domain/manifest.ts'
import { FactsError, type ReadFactsOptions, readFacts } from '../providers/facts/read-facts.ts'
import { encodeSnapshot, snapshotId } from './snapshot/snapshot.ts'

export interface BuiltCatalogue {
  readonly file: string
  readonly bytes: number
  readonly id: string
  readonly manifest: BuildManifest
}

/** The file is replaced atomically: if anything fails, the previous one stays. */
export async function buildCatalogue(
  factsDirectory: string,
  file: string,
  options: ReadFactsOptions,
): Promise<BuiltCatalogue> {
  const { offers, zones, manifest } = await readFacts(factsDirectory, options)
  if (offers.length === 0) throw new FactsError(`${factsDirectory} gives no offer at all`)
  const bytes = encodeSnapshot(offers, zones, manifest)
  await writeAtomically(file, bytes)
  return { file, bytes: bytes.length, id: snapshotId(bytes), manifest }
}

/** Replaces the file atomically: readers see the old content or the new one, never a part. */
export async function writeAtomically(file: string, bytes: Uint8Array): Promise<void> {
  const directory = dirname(file)
  const aside = join(directory, `.${basename(file)}.${process.pid}.new`)
  await mkdir(directory, { recursive: true })
  try {
    await flushed(aside, 'w', (handle) => handle.writeFile(bytes))
    await rename(aside, file)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
  // The rename survives a crash only after the directory is synced. Windows cannot open a directory as a file.
  if (process.platform !== 'win32') await flushed(directory, 'r')
}

async function flushed(
  path: string,
  flags: string,
  write?: (handle: Awaited<ReturnType<typeof open>>) => Promise<void>,
): Promise<void> {
  const handle = await open(path, flags)
  try {
    await write?.(handle)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
