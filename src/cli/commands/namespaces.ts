import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { firstOrganisation } from '../../domain/key.ts'
import { Problem } from '../../domain/problem.ts'
import type { SizesDeps } from '../../operations/recommend-sizes/deps.ts'
import type { SizesQuery, SizesRequest } from '../../operations/recommend-sizes/query.ts'
import type { SizedNamespace } from '../../operations/recommend-sizes/sized-namespace.ts'
import {
  type Call,
  type Command,
  CommandFailure,
  exitCode,
  numberOf,
  textOf,
  UsageError,
} from '../command.ts'
import { plural } from '../render/figures.ts'
import { profileOption, publicPolicies } from './profile-option.ts'

type WithSizes = <Result>(call: Call, use: (deps: SizesDeps) => Promise<Result>) => Promise<Result>

const dayMs = 86_400_000
const defaultDays = 14

export function namespacesCommand(withSizes: WithSizes): Command {
  return {
    name: 'namespaces',
    summary: 'What namespaces cost, and how big their containers should be',
    settings: ['data', 'catalogue'],
    options: {
      organisation: { type: 'string', value: 'ORG', text: 'Whose usage; default: default' },
      cluster: { type: 'string', value: 'NAME', text: 'Only of this cluster' },
      namespace: { type: 'string', value: 'NAME', text: 'Only of this namespace' },
      days: { type: 'string', value: 'N', text: `The last so many days; default ${defaultDays}` },
      start: { type: 'string', value: 'TIME', text: 'Start of the period instead, as 2026-11-01T00:00:00Z' },
      end: { type: 'string', value: 'TIME', text: 'End of the period; default: now' },
      profile: profileOption,
      risk: {
        type: 'string',
        value: 'SHARE',
        text: 'Instead: the share of time above the request that is accepted, as 0.01',
      },
      explain: {
        type: 'boolean',
        text: 'Tell for each container what every estimator says, and which decided',
      },
      manifests: { type: 'string', value: 'DIR', text: 'Write Kubernetes objects and a table there' },
    },
    notes: async () =>
      [
        await publicPolicies(),
        'DIR/CLUSTER/NAMESPACE/ gets patch.yaml, vpa.yaml, quota.yaml, kustomization.yaml and recommendations.csv;',
        'names are percent-encoded where a file name cannot hold them.',
      ].join('\n'),
    run: (call) =>
      withSizes(call, async (deps) => {
        const { parseRequest } = await import('../../operations/recommend-sizes/query.ts')
        const { recommendSizes } = await import('../../operations/recommend-sizes/recommend-sizes.ts')
        const { viewNamespace } = await import('../../operations/recommend-sizes/view.ts')
        const { renderNamespaces } = await import('../render/namespaces.ts')
        const query = queryOf(call, deps.now(), parseRequest)
        const { namespaces } = await recommendSizes(
          deps,
          textOf(call, 'organisation') ?? firstOrganisation,
          query,
        )
        const folder = textOf(call, 'manifests')
        if (call.json) call.out(JSON.stringify(namespaces.map((sized) => viewNamespace(sized, deps.now()))))
        else call.out(renderNamespaces(namespaces))
        if (!call.json && query.explain && namespaces.length > 0) {
          const { renderExplanations } = await import('../render/explanations.ts')
          call.out(`\n${renderExplanations(namespaces)}`)
        }
        if (folder !== undefined) {
          await writeManifests(folder, namespaces)
          call.err(`Wrote the manifests of ${plural(namespaces.length, 'namespace')} to ${folder}.`)
        }
        return exitCode.done
      }),
  }
}

function queryOf(call: Call, now: number, parse: (request: SizesRequest) => SizesQuery): SizesQuery {
  const days = numberOf(call, 'days') ?? defaultDays
  if (!(days > 0)) throw new UsageError('--days must be above 0')
  const end = textOf(call, 'end') ?? new Date(now).toISOString()
  const start = textOf(call, 'start') ?? new Date((Date.parse(end) || 0) - days * dayMs).toISOString()
  try {
    return parse({
      start_date: start,
      end_date: end,
      cluster: textOf(call, 'cluster'),
      namespace: textOf(call, 'namespace'),
      profile: textOf(call, 'profile'),
      risk: numberOf(call, 'risk'),
      explain: call.values.explain === true,
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const faults = (error.errors ?? []).map(({ pointer, message }) => `${optionOf(pointer)} ${message}`)
    throw new UsageError(faults.join('; '))
  }
}

/** ?start_date -> --start */
const optionOf = (pointer: string): string => `--${pointer.slice(1).replace('_date', '')}`

async function writeManifests(folder: string, namespaces: readonly SizedNamespace[]): Promise<void> {
  const { fileNames, manifestFormats, writeManifest } = await import(
    '../../operations/manifests/write-manifest.ts'
  )
  try {
    for (const sized of namespaces) {
      const own = join(folder, fileName(sized.cluster), fileName(sized.namespace))
      await mkdir(own, { recursive: true })
      for (const format of manifestFormats)
        await writeFile(join(own, fileNames[format]), writeManifest(sized, format))
    }
  } catch (error) {
    if ('code' in (error as Error)) throw new CommandFailure((error as Error).message)
    throw error
  }
}

/** One name, whatever it holds: no slash, and never . or .. */
const fileName = (name: string): string =>
  encodeURIComponent(name).replace(/^\.+$/, (dots) => '%2E'.repeat(dots.length)) || '%'
