import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { plural } from '../../../domain/text.ts'
import { dayMs } from '../../../domain/time.ts'
import type { NamespaceRecommendation } from '../../../namespace-sizes/answer/view-namespace.ts'
import type { SizesDeps } from '../../../namespace-sizes/size-namespaces.ts'
import type { ManifestFormat } from '../../../operations/export-manifests/manifest-answer.ts'
import type { SizesRequest } from '../../../operations/recommend-sizes/query.ts'
import {
  type Call,
  type Command,
  CommandFailure,
  type ExitCode,
  exitCode,
  textOption,
  UsageError,
} from '../../command.ts'
import { organisationOf, organisationOption, refuseOrganisation } from '../../organisation.ts'
import { type RemoteService, serverOf } from '../../server.ts'
import { constraintOptions, constraintsOf, profileOption, publicPolicies } from './constraint-options.ts'
import { periodPointers } from './period-options.ts'

type WithSizes = <Result>(call: Call, use: (deps: SizesDeps) => Promise<Result>) => Promise<Result>

const defaultDays = 14

export function namespacesCommand(withSizes: WithSizes): Command {
  return {
    name: 'namespaces',
    summary: 'Show the cost of namespaces and recommended container sizes',
    settings: ['server', 'data', 'catalogue'],
    options: {
      organisation: organisationOption,
      cluster: textOption('NAME', 'Only this cluster'),
      namespace: textOption('NAME', 'Only this namespace'),
      days: textOption('N', `Length of the period in days, up to now; default ${defaultDays}`),
      start: textOption('TIME', 'Start of the period, instead of --days, such as 2026-11-01T00:00:00Z'),
      end: textOption('TIME', 'End of the period; default: now'),
      profile: profileOption,
      risk: textOption(
        'SHARE',
        'Instead of a profile: the accepted share of time above the request, such as 0.01',
      ),
      shortfall: textOption('SHARE', 'The accepted share of all CPU usage above the requests, such as 0.01'),
      ...constraintOptions,
      explain: {
        type: 'boolean',
        text: 'Show the result of every estimator for each container, and which one decided',
      },
      manifests: textOption('DIRECTORY', 'Write Kubernetes objects and a table to this directory'),
    },
    optionsByPointer: periodPointers,
    notes: async () =>
      [
        await publicPolicies(),
        'DIRECTORY/CLUSTER/NAMESPACE/ contains patch.yaml, vpa.yaml, quota.yaml, kustomization.yaml and recommendations.csv;',
        'names are percent-encoded if a file name cannot contain them.',
      ].join('\n'),
    run: async (call) => {
      const server = serverOf(call)
      const request = requestOf(call)
      const { parseSizesRequest } = await import('../../../operations/recommend-sizes/query.ts')
      // Invalid requests are refused before a database is opened.
      parseSizesRequest(request)
      return server === undefined
        ? withSizes(call, async (deps) => show(call, await fromDatabase(deps, call, request)))
        : show(call, await fromServer(server, call, request))
    },
  }
}

/** Sized namespaces, and a function that writes the manifest of one of them. */
interface Sized {
  readonly namespaces: readonly NamespaceRecommendation[]
  manifest(index: number, format: ManifestFormat): Promise<string>
}

async function show(call: Call, sized: Sized): Promise<ExitCode> {
  const { namespaces } = sized
  if (call.json) call.out(JSON.stringify(namespaces))
  else {
    const { renderNamespaces } = await import('../../render/namespaces.ts')
    const { nothingNamed } = await import('../../render/nothing-found.ts')
    const asked = ['namespace', 'cluster'].find((option) => call.text(option))
    call.out(
      namespaces.length === 0 && asked !== undefined
        ? nothingNamed(asked, call.text(asked)!, [])
        : renderNamespaces(namespaces),
    )
    if (call.flag('explain') && namespaces.length > 0) {
      const { renderExplanations } = await import('../../render/explanations.ts')
      call.out(`\n${renderExplanations(namespaces)}`)
    }
  }
  const directory = call.text('manifests')
  if (directory !== undefined) {
    await writeManifests(directory, sized)
    if (namespaces.length === 0) call.err('No manifests were written: there is no namespace with usage.')
    else call.err(`Wrote the manifests of ${plural(namespaces.length, 'namespace')} to ${directory}.`)
  }
  return exitCode.done
}

async function fromDatabase(deps: SizesDeps, call: Call, request: SizesRequest): Promise<Sized> {
  const { parseSizesRequest } = await import('../../../operations/recommend-sizes/query.ts')
  const { recommendSizes } = await import('../../../operations/recommend-sizes/recommend-sizes.ts')
  const { viewNamespace } = await import('../../../namespace-sizes/answer/view-namespace.ts')
  const { writeManifest } = await import('../../../operations/export-manifests/manifest-answer.ts')
  const organisation = organisationOf(call)
  const { namespaces } = await recommendSizes(deps, organisation, parseSizesRequest(request))
  return {
    namespaces: namespaces.map((sized) => viewNamespace(sized, deps.now())),
    manifest: async (index, format) => writeManifest(namespaces[index]!, format),
  }
}

async function fromServer(server: RemoteService, call: Call, request: SizesRequest): Promise<Sized> {
  refuseOrganisation(call)
  const path = '/v1/namespace_recommendations'
  const { explain, ...period } = request
  const namespaces = await server.pages<NamespaceRecommendation>(path, { ...period, explain })
  return {
    namespaces,
    manifest(index, format) {
      const { Cluster, Namespace } = namespaces[index]!
      const place = [Cluster, Namespace].map(encodeURIComponent).join('/')
      return server.text(`${path}/${place}/manifests`, {
        query: { ...period, cluster: undefined, namespace: undefined, format },
      })
    },
  }
}

function requestOf(call: Call): SizesRequest {
  const days = call.number('days') ?? defaultDays
  if (!(days > 0)) throw new UsageError('--days must be above 0')
  const end = call.text('end') ?? new Date().toISOString()
  return {
    start_date: call.text('start') ?? new Date((Date.parse(end) || 0) - days * dayMs).toISOString(),
    end_date: end,
    cluster: call.text('cluster'),
    namespace: call.text('namespace'),
    profile: call.text('profile'),
    risk: call.number('risk'),
    shortfall: call.number('shortfall'),
    ...constraintsOf(call),
    explain: call.flag('explain'),
  }
}

async function writeManifests(directory: string, { namespaces, manifest }: Sized): Promise<void> {
  const { fileNames, manifestFormats } = await import(
    '../../../operations/export-manifests/manifest-answer.ts'
  )
  try {
    for (const [index, { Cluster, Namespace }] of namespaces.entries()) {
      const own = join(directory, fileName(Cluster), fileName(Namespace))
      await mkdir(own, { recursive: true })
      for (const format of manifestFormats)
        await writeFile(join(own, fileNames[format]), await manifest(index, format))
    }
  } catch (error) {
    if ('syscall' in (error as Error)) throw new CommandFailure((error as Error).message)
    throw error
  }
}

/** A safe file name for any name: it contains no slash and is never `.` or `..`. */
const fileName = (name: string): string =>
  encodeURIComponent(name).replace(/^\.+$/, (dots) => '%2E'.repeat(dots.length)) || '%'
