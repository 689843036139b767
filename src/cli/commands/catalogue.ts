import { writeFile } from 'node:fs/promises'
import type { Snapshot } from '../../catalogue/snapshot/snapshot.ts'
import {
  type Call,
  type Command,
  CommandFailure,
  type ExitCode,
  exitCode,
  optionText,
  requiredText,
  UsageError,
} from '../command.ts'
import type { CatalogueDescription } from '../render/catalogue-served.ts'
import { serverOf } from '../server.ts'

const builtInFile = 'the shipped catalogue if none is named'

/** Builds, shows, checks and compares catalogue files. */
export const catalogueCommands: readonly Command[] = [
  {
    name: 'catalogue build',
    summary: 'Build a catalogue file, offline, from a folder of price facts',
    operands: 'FILE',
    operandCount: [1, 1],
    options: {
      from: { type: 'string', value: 'FOLDER', text: 'The price facts' },
      provider: { type: 'string', value: 'KEY', text: 'Only these; may be repeated', multiple: true },
      manifest: { type: 'string', value: 'FILE', text: 'Write the manifest as JSON too' },
    },
    run: async (call) => {
      const { buildCatalogue } = await import('../../operations/catalogue/build-catalogue.ts')
      const from = requiredText(call, 'from')
      const built = await buildCatalogue(from, call.operands[0]!, {
        builtAt: new Date().toISOString(),
        ...(await providersOf(call)),
        acceleratorOf: await accelerators(),
        onProgress: ({ provider, rows, offers }) => call.err(`${provider}: ${rows} rows, ${offers} offers`),
      }).catch((error: Error) => {
        throw error.name === 'FactsError' || 'code' in error ? new CommandFailure(error.message) : error
      })
      const manifestFile = optionText(call, 'manifest')
      if (manifestFile !== undefined) {
        await writeFile(
          manifestFile,
          `${JSON.stringify({ id: built.id, bytes: built.bytes, ...built.manifest }, null, 1)}\n`,
        )
      }
      const { renderBuilt } = await import('../render/catalogue.ts')
      call.out(call.json ? JSON.stringify(built) : renderBuilt(built))
      return exitCode.done
    },
  },
  {
    name: 'catalogue machines',
    summary: 'Build the files of machine facts (speed, place, age, kind) from a folder of them',
    operands: 'FOLDER',
    operandCount: [1, 1],
    options: {
      from: { type: 'string', value: 'FOLDER', text: 'The machine facts' },
      prices: {
        type: 'string',
        value: 'FILE',
        text: 'The catalogue whose types they describe; the shipped one',
      },
    },
    run: async (call) => {
      const { buildMachineFacts } = await import('../../operations/build-machine-facts.ts')
      const { columns } = await snapshotOf(optionText(call, 'prices'))
      const built = await buildMachineFacts(requiredText(call, 'from'), call.operands[0]!, [columns]).catch(
        (error: Error) => {
          throw error.name === 'FactsError' || 'code' in error ? new CommandFailure(error.message) : error
        },
      )
      for (const { file, bytes, rows } of built) {
        const counts = Object.entries(rows).filter(([, count]) => count > 0)
        call.out(`${file}: ${bytes} bytes; ${counts.map(([name, count]) => `${count} ${name}`).join(', ')}`)
      }
      return exitCode.done
    },
  },
  {
    name: 'catalogue show',
    summary: `Show what a catalogue holds: providers, sources, days, what was left out; ${builtInFile}, or that of --server`,
    operands: '[FILE]',
    operandCount: [0, 1],
    settings: ['server'],
    notes: '--json gives what GET /catalogue answers of a service that has this catalogue.',
    run: async (call) => {
      const server = call.operands.length === 0 ? serverOf(call) : undefined
      if (server !== undefined) return showServed(call, await server.ask('/catalogue'))
      const snapshot = await snapshotOf(call.operands[0])
      const { id, columns, manifest } = snapshot
      if (call.json) call.out(await answerOf(snapshot))
      else {
        const { renderManifest } = await import('../render/catalogue.ts')
        call.out(renderManifest(id, columns.count, manifest))
      }
      return exitCode.done
    },
  },
  {
    name: 'catalogue verify',
    summary: `Check a catalogue file; exit 1 if it cannot be used; ${builtInFile}`,
    operands: '[FILE]',
    operandCount: [0, 1],
    run: async (call) => {
      const { id, columns } = await snapshotOf(call.operands[0])
      call.out(
        call.json
          ? JSON.stringify({ id, offers: columns.count })
          : `Sound: ${columns.count} offers, id ${id}`,
      )
      return exitCode.done
    },
  },
  {
    name: 'catalogue diff',
    summary: 'Compare two catalogue files: what came, went and moved',
    operands: 'BEFORE AFTER',
    operandCount: [2, 2],
    run: async (call) => {
      const [{ diffSnapshots }, { renderDiff }] = await Promise.all([
        import('../../catalogue/snapshot/diff.ts'),
        import('../render/catalogue.ts'),
      ])
      const diff = diffSnapshots(await snapshotOf(call.operands[0]), await snapshotOf(call.operands[1]))
      call.out(call.json ? JSON.stringify(diff) : renderDiff(diff))
      return exitCode.done
    },
  },
]

async function showServed(call: Call, served: CatalogueDescription): Promise<ExitCode> {
  const { renderServed } = await import('../render/catalogue-served.ts')
  call.out(call.json ? JSON.stringify(served) : renderServed(served))
  return exitCode.done
}

async function snapshotOf(file: string | undefined) {
  const { readSnapshot, shippedCatalogue, CatalogueFileError } = await import(
    '../../catalogue/load-catalogue.ts'
  )
  return readSnapshot(file ?? shippedCatalogue).catch((error) => {
    throw error instanceof CatalogueFileError ? new CommandFailure(error.message) : error
  })
}

async function answerOf(snapshot: Snapshot): Promise<string> {
  const { Catalogue } = await import('../../catalogue/catalogue.ts')
  const { describeCatalogue } = await import('../../operations/catalogue/describe-catalogue.ts')
  const { enabledProviders } = await import('../../operations/pricing/enabled-providers.ts')
  const catalogue = Catalogue.fromSnapshot(snapshot, {})
  const { providers } = enabledProviders(snapshot.manifest.providers.map(({ provider }) => provider))
  return describeCatalogue({ catalogue: () => catalogue, manifest: () => snapshot.manifest, providers }).json
}

/** What the shipped machine facts know of accelerators comes before what price lists say of them. */
async function accelerators() {
  const { shippedKnowledge } = await import('../../catalogue/load-machine-facts.ts')
  const { machines } = shippedKnowledge()
  return (provider: string, instanceType: string) => machines.accelerator(provider, instanceType)
}

async function providersOf(call: Call) {
  const names = call.values.provider as string[] | undefined
  if (names === undefined) return {}
  const { providerKeys, UnknownProvider } = await import('../../operations/pricing/enabled-providers.ts')
  try {
    return { providers: providerKeys(names) }
  } catch (error) {
    throw error instanceof UnknownProvider ? new UsageError(error.message) : error
  }
}
