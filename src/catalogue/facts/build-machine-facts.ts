import { join } from 'node:path'
import { type MachineFactsFile, machineFactSections } from '../../domain/machine-facts.ts'
import { readMachineFacts } from '../../providers/facts/machines/read-machine-facts.ts'
import { writeAtomically } from '../build-catalogue.ts'
import type { OfferColumns } from '../columns/columns.ts'
import { offersIn } from '../columns/offer-view.ts'
import { machineFactsFiles } from '../shipped-facts.ts'

interface BuiltMachineFacts {
  readonly file: string
  readonly bytes: number
  readonly rows: Readonly<Record<string, number>>
}

export async function buildMachineFacts(
  factsDirectory: string,
  directory: string,
  prices: readonly OfferColumns[],
): Promise<BuiltMachineFacts[]> {
  const sizes = new Map<string, { vcpus: number; architecture: '' | 'x86_64' | 'arm64' | 'i386' }>()
  for (const columns of prices)
    for (const { provider, instanceType, vcpus, architecture } of offersIn(columns))
      if (vcpus !== null) sizes.set(`${provider}\n${instanceType}`, { vcpus, architecture })
  const { permissive, shareAlike } = await readMachineFacts(factsDirectory, (provider, type) =>
    sizes.get(`${provider}\n${type}`),
  )
  const built: BuiltMachineFacts[] = []
  for (const [i, facts] of [permissive, shareAlike].entries()) {
    const file = join(directory, machineFactsFiles[i]!)
    const bytes = Buffer.from(textOf(facts))
    await writeAtomically(file, bytes)
    const rows = Object.fromEntries(machineFactSections.map((name) => [name, facts[name].length]))
    built.push({ file, bytes: bytes.length, rows })
  }
  return built
}

/** Writes one row per line, so that a changed fact is a changed line in a diff. */
function textOf({ format, licence, credits, ...sections }: MachineFactsFile): string {
  const heads = Object.entries({ format, licence, credits }).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  const lists = machineFactSections.map((name) => {
    const rows = sections[name].map((row) => `\n${JSON.stringify(row)}`)
    return `${JSON.stringify(name)}:[${rows.join(',')}]`
  })
  return `{${heads.join(',')},\n${lists.join(',\n')}}\n`
}
