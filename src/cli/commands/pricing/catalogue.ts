import { writeFile } from 'node:fs/promises'
import type { CatalogueDescription } from '../../../catalogue/schema.ts'
import { type Call, type Command, exitCode, listOption, textOption, UsageError } from '../../command.ts'
import { fittedLines } from '../../render/table.ts'
import { serverOf } from '../../server.ts'

const builtInFile = 'the shipped catalogue by default'

export const catalogueCommands: readonly Command[] = [
  {
    name: 'catalogue build',
    isOffline: true,
    summary: 'Build a catalogue file, offline, from a directory of price facts',
    operands: 'FILE',
    options: {
      from: textOption('DIRECTORY', 'Directory with the price facts'),
      provider: listOption('KEY', 'Only this provider'),
      manifest: textOption('FILE', 'Also write the manifest as JSON'),
    },
    run: async (call) => {
      const { buildCatalogue } = await import('../../../catalogue/build-catalogue.ts')
      const from = call.requiredText('from')
      const built = await buildCatalogue(from, call.operands[0]!, {
        builtAt: new Date().toISOString(),
        ...(await providersOf(call)),
        acceleratorOf: await accelerators(),
        onProgress: ({ provider, rows, offers }) => call.err(`${provider}: ${rows} rows, ${offers} offers`),
      })
      const manifestFile = call.text('manifest')
      if (manifestFile !== undefined) {
        await writeFile(
          manifestFile,
          `${JSON.stringify({ id: built.id, bytes: built.bytes, ...built.manifest }, null, 1)}\n`,
        )
      }
      const { renderBuilt } = await import('../../render/catalogue.ts')
      return call.show(built, () => renderBuilt(built))
    },
  },
  {
    name: 'catalogue machines',
    isOffline: true,
    summary: 'Build the machine facts (speed, location, age, kind) from a directory of source files',
    operands: 'DIRECTORY',
    options: {
      from: textOption('DIRECTORY', 'Directory with the source files'),
      prices: textOption('FILE', 'The catalogue whose types they describe; default: the shipped one'),
    },
    run: async (call) => {
      const { buildMachineFacts } = await import('../../../catalogue/facts/build-machine-facts.ts')
      const { columns } = await snapshotOf(call.text('prices'))
      const built = await buildMachineFacts(call.requiredText('from'), call.operands[0]!, [columns])
      for (const { file, bytes, rows } of built) {
        const counts = Object.entries(rows).filter(([, count]) => count > 0)
        call.out(`${file}: ${bytes} bytes; ${counts.map(([name, count]) => `${count} ${name}`).join(', ')}`)
      }
      return exitCode.done
    },
  },
  {
    name: 'catalogue show',
    isOffline: true,
    summary: `Show the providers, sources, dates and left-out prices of a catalogue; ${builtInFile}, or that of --server`,
    operands: '[FILE]',
    settings: ['server'],
    notes: '--json prints what GET /catalogue of a service with this catalogue returns.',
    run: async (call) => {
      const server = call.operands.length === 0 ? serverOf(call) : undefined
      const { renderCatalogue } = await import('../../render/catalogue.ts')
      const described =
        server === undefined
          ? await describeFile(call.operands[0], call.json)
          : await server.ask<CatalogueDescription>('/catalogue')
      return call.show(described, () => renderCatalogue(described))
    },
  },
  {
    name: 'catalogue verify',
    isOffline: true,
    summary: `Verify a catalogue file; exit 1 if it is not usable; ${builtInFile}`,
    operands: '[FILE]',
    run: async (call) => {
      const { id, columns } = await snapshotOf(call.operands[0])
      const text = () => fittedLines(`Valid: ${columns.count} offers, id ${id}`).join('\n')
      return call.show({ id, offers: columns.count }, text)
    },
  },
  {
    name: 'catalogue diff',
    isOffline: true,
    summary: 'Compare two catalogue files: added, removed and changed prices',
    operands: 'BEFORE AFTER',
    run: async (call) => {
      const [{ diffSnapshots }, { renderDiff }] = await Promise.all([
        import('../../../catalogue/snapshot/diff.ts'),
        import('../../render/catalogue.ts'),
      ])
      const diff = diffSnapshots(await snapshotOf(call.operands[0]), await snapshotOf(call.operands[1]))
      return call.show(diff, () => renderDiff(diff))
    },
  },
]

async function snapshotOf(file: string | undefined) {
  const { readSnapshot, shippedCatalogue } = await import('../../../catalogue/load-catalogue.ts')
  return readSnapshot(file ?? shippedCatalogue)
}

/** As a service with this catalogue describes it, or without the names of providers. */
async function describeFile(file: string | undefined, asServed: boolean): Promise<CatalogueDescription> {
  const snapshot = await snapshotOf(file)
  const { describeManifest } = await import('../../../catalogue/describe-catalogue.ts')
  const { enabledProviders } = await import('../../../pricing/market.ts')
  const { id, columns, manifest } = snapshot
  const keys = manifest.providers.map(({ provider }) => provider)
  return describeManifest(
    id,
    columns.count,
    manifest,
    asServed ? enabledProviders(keys).providers : undefined,
  )
}

/** Shipped machine facts about accelerators override those of price lists. */
async function accelerators() {
  const { shippedFacts } = await import('../../../catalogue/shipped-facts.ts')
  const { machines } = shippedFacts()
  return (provider: string, instanceType: string) => machines.accelerator(provider, instanceType)
}

async function providersOf(call: Call) {
  const names = call.texts('provider')
  if (names === undefined) return {}
  const { providerKeys, UnknownProvider } = await import('../../../pricing/market.ts')
  try {
    return { providers: providerKeys(names) }
  } catch (error) {
    throw error instanceof UnknownProvider ? new UsageError(error.message) : error
  }
}
