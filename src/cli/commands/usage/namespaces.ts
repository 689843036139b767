import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { plural } from '../../../domain/text.ts'
import { dayMs } from '../../../domain/time.ts'
import type { SizesRequest } from '../../../recommendations/containers/query.ts'
import type { NamespaceRecommendation } from '../../../recommendations/containers/schema.ts'
import {
  type Call,
  type Command,
  CommandFailure,
  type ExitCode,
  exitCode,
  flagOption,
  textOption,
  UsageError,
} from '../../command.ts'
import { organisationOption } from '../../organisation.ts'
import type { ServiceClient } from '../../server.ts'
import { withService } from '../../with-service.ts'
import {
  constraintOptions,
  constraintsOf,
  periodOptions,
  periodPointers,
  profileOption,
  publicPolicies,
} from './constraint-options.ts'

const path = '/v1/namespace_recommendations'
const defaultDays = 14

export const namespacesCommand: Command = {
  name: 'namespaces',
  summary: 'Show the cost of namespaces and recommended container sizes',
  settings: ['server', 'data', 'catalogue', 'currency'],
  options: {
    organisation: organisationOption,
    cluster: textOption('NAME', 'Only this cluster'),
    namespace: textOption('NAME', 'Only this namespace'),
    days: textOption('N', `Length of the period in days, instead of --start; default: ${defaultDays}`),
    ...periodOptions(defaultDays),
    profile: profileOption,
    risk: textOption(
      'SHARE',
      'Instead of a profile: the accepted share of time above the request, such as 0.01',
    ),
    shortfall: textOption('SHARE', 'The accepted share of all CPU usage above the requests, such as 0.01'),
    ...constraintOptions,
    explain: flagOption('Show the result of every estimator for each container, and which one decided'),
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
    const request = requestOf(call)
    const { parseSizesRequest } = await import('../../../recommendations/containers/query.ts')
    // Invalid requests are refused before a database is opened.
    parseSizesRequest(request)
    return withService(call, (service) => show(call, service, request))
  },
}

async function show(call: Call, service: ServiceClient, request: SizesRequest): Promise<ExitCode> {
  const namespaces = await service.pages<NamespaceRecommendation>(path, { ...request })
  if (call.json) call.out(JSON.stringify(namespaces))
  else {
    const { renderNamespaces } = await import('../../render/namespaces.ts')
    const { nothingNamed } = await import('../../render/figures.ts')
    const asked = ['namespace', 'cluster'].find((option) => call.text(option))
    call.out(
      namespaces.length === 0 && asked !== undefined
        ? nothingNamed(asked, call.text(asked)!, [])
        : renderNamespaces(namespaces),
    )
    if (call.flag('explain') && namespaces.length > 0) {
      const { renderExplanations } = await import('../../render/namespaces.ts')
      call.out(`\n${renderExplanations(namespaces)}`)
    }
  }
  const directory = call.text('manifests')
  if (directory !== undefined) {
    await writeManifests(directory, service, request, namespaces)
    if (namespaces.length === 0) call.err('No manifests were written: there is no namespace with usage.')
    else
      call.err(
        `Wrote the manifests of ${plural(namespaces.length, 'namespace')} to ${directory}.${unchangedNote(namespaces)}`,
      )
  }
  return exitCode.done
}

function requestOf(call: Call): SizesRequest {
  const days = call.number('days') ?? defaultDays
  if (!(days > 0)) throw new UsageError('--days must be above 0')
  const end = call.time('end', 'end') ?? new Date().toISOString()
  return {
    start_date: call.time('start', 'start') ?? new Date((Date.parse(end) || 0) - days * dayMs).toISOString(),
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

/** Manifests of namespaces without a change contain only a note. */
function unchangedNote(namespaces: readonly NamespaceRecommendation[]): string {
  const unchanged = namespaces.filter(({ ContainerRecommendations: containers }) =>
    Object.values(containers).every(({ CPU, Memory }) =>
      [CPU, Memory].every(
        ({ Requests: { Current, Recommended } }) => Recommended === null || Recommended === Current,
      ),
    ),
  )
  if (unchanged.length === 0) return ''
  return ` No change is recommended for ${unchanged.length === namespaces.length ? 'any of them' : unchanged.length}, so ${unchanged.length === 1 ? 'its patch changes' : 'their patches change'} nothing.`
}

async function writeManifests(
  directory: string,
  service: ServiceClient,
  { explain: _, cluster: __, namespace: ___, ...query }: SizesRequest,
  namespaces: readonly NamespaceRecommendation[],
): Promise<void> {
  const { fileNames, manifestFormats } = await import('../../../recommendations/manifests/manifest-answer.ts')
  try {
    for (const { Cluster, Namespace } of namespaces) {
      const place = [Cluster, Namespace].map(encodeURIComponent).join('/')
      const own = join(directory, fileName(Cluster), fileName(Namespace))
      await mkdir(own, { recursive: true })
      for (const format of manifestFormats)
        await writeFile(
          join(own, fileNames[format]),
          await service.text(`${path}/${place}/manifests`, { query: { ...query, format } }),
        )
    }
  } catch (error) {
    if ('syscall' in (error as Error)) throw new CommandFailure((error as Error).message)
    throw error
  }
}

/** A safe file name for any name: it contains no slash and is never `.` or `..`. */
const fileName = (name: string): string =>
  encodeURIComponent(name).replace(/^\.+$/, (dots) => '%2E'.repeat(dots.length)) || '%'
