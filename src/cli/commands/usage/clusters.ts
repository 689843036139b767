import { defaultOrganisation } from '../../../domain/key.ts'
import { Problem } from '../../../domain/problem.ts'
import type { ClusterPlanRequest, ClusterRecommendation } from '../../../recommendations/clusters/schema.ts'
import {
  type Call,
  type Command,
  CommandFailure,
  type CommandOption,
  exitCode,
  flagOption,
  textOption,
  UsageError,
} from '../../command.ts'
import { organisationOption } from '../../organisation.ts'
import { withService } from '../../with-service.ts'
import { offlinePricing } from '../pricing/offline-pricing.ts'
import { readManifests } from '../pricing/review-manifests.ts'

const rules: Readonly<Record<string, CommandOption>> = {
  headroom: textOption('SHARE', 'Share of cores and memory that stays free; default: 0.1'),
  'min-nodes': textOption('COUNT', 'Minimum nodes; default: 3'),
  'max-pools': textOption('COUNT', 'Maximum types of nodes; default: 3'),
  'pods-per-node': textOption('COUNT', 'Maximum pods on a node; default: as the nodes report it'),
  'min-gain': textOption('SHARE', 'Share by which other types must cost less; default: 0.05'),
  spot: textOption('SHARE', 'Also plan this share of the pods that tolerate it on spot nodes; default: 0'),
  arm64: textOption('NAMES', 'Namespaces or workloads whose images exist for arm64, or all'),
  here: flagOption('Without other regions and providers'),
}

const rulesOf = (call: Call) => ({
  headroom: call.number('headroom', { least: 0, most: 0.9 }),
  min_nodes: call.number('min-nodes', { least: 1, most: 1000, isWhole: true }),
  max_pools: call.number('max-pools', { least: 1, most: 3, isWhole: true }),
  pods_per_node: call.number('pods-per-node', { least: 1, most: 1000, isWhole: true }),
  min_gain: call.number('min-gain', { least: 0, most: 1 }),
  spot: call.number('spot', { least: 0, most: 1 }),
  arm64: call.text('arm64'),
  elsewhere: !call.flag('here'),
})

const optionName = textOption('ID', 'The option to print with --format; default: the recommended one')
const formats = 'Print the pools as karpenter, eksctl, gcloud, az, terraform or csv'

export const clusterCommands: readonly Command[] = [
  {
    name: 'clusters list',
    summary: 'List cheaper nodes for clusters, once pods have the recommended sizes',
    settings: ['server', 'data', 'catalogue', 'providers', 'currency'],
    options: {
      organisation: organisationOption,
      cluster: textOption('NAME', 'Only this cluster'),
      format: textOption('FORMAT', formats),
      option: optionName,
      ...rules,
    },
    run: (call) =>
      withService(call, async (service) => {
        const format = call.text('format')
        const query = { cluster: call.text('cluster'), format, option: call.text('option'), ...rulesOf(call) }
        if (format !== undefined && format !== 'json') {
          call.out(await service.text('/v1/cluster_recommendations', { query }))
          return exitCode.done
        }
        const found = await service.ask<ClusterRecommendation[]>('/v1/cluster_recommendations', { query })
        await show(call, found, query.cluster)
        return exitCode.done
      }),
  },
  {
    name: 'clusters plan',
    summary: 'Plan the nodes of a cluster from kubectl output or manifests, offline',
    operands: 'FILE',
    isOffline: true,
    settings: ['catalogue', 'providers', 'currency'],
    options: {
      format: textOption('FORMAT', formats),
      option: optionName,
      like: textOption(
        'TYPE',
        'Without nodes in FILE: a type like which they are, such as aws/us-east-1/m5.xlarge',
      ),
      ...rules,
    },
    notes:
      'FILE is JSON or YAML, a directory of manifests, or - for standard input:\n' +
      'kubectl get pods,nodes,pv,pdb -A -o json | cheapside clusters plan -\n' +
      'Pods can also be stated: pods: [{name: web, cpu_cores: 0.5, memory_gib: 1, count: 40}]\n' +
      'Nothing of it leaves this machine. Pods count with the requests that they have.',
    run: async (call) => {
      const documents = await readManifests(call.operands[0]!)
      const { Compile } = await import('typebox/compile')
      const { ClusterPlanRequest: schema } = await import('../../../recommendations/clusters/schema.ts')
      const { exportPools, poolFormats } = await import('../../../recommendations/clusters/export-pools.ts')
      const { planObjects } = await import('../../../recommendations/clusters/plan-objects.ts')
      const pricing = await offlinePricing(call.settings)
      const stated = Object.assign({}, ...documents.filter(isStated))
      const objects = [...(stated.objects ?? []), ...documents.filter((document) => !isStated(document))]
      const request = { ...stated, ...withoutUndefined({ objects, ...likeOf(call), ...rulesOf(call) }) }
      const [fault] = Compile(schema).Errors(request)
      if (fault !== undefined) throw new CommandFailure(`${fault.instancePath} ${fault.message}`)
      try {
        const { view, plan } = await planObjects(
          pricing,
          defaultOrganisation,
          request,
          Date.now(),
          new AbortController().signal,
        )
        const format = call.text('format') ?? 'json'
        if (format === 'json') await show(call, [view])
        else
          call.out(
            exportPools(
              [plan],
              checkedFormat(format, poolFormats(pricing.providers)),
              (name) => pricing.findProvider(name),
              call.text('option'),
            ),
          )
      } catch (error) {
        throw error instanceof Problem ? new CommandFailure(error.message) : error
      }
      return exitCode.done
    },
  },
]

/** Pods that are stated by hand, as in the request of POST /v1/clusters/plan, instead of an object of Kubernetes. */
const isStated = (document: unknown): document is Partial<ClusterPlanRequest> =>
  typeof document === 'object' && document !== null && !('kind' in document) && 'pods' in document

function likeOf(call: Call): Pick<ClusterPlanRequest, 'provider' | 'region' | 'instance_type'> {
  const like = call.text('like')
  if (like === undefined) return {}
  const [provider = '', region = '', instance_type = '', ...more] = like.split('/')
  if (provider === '' || region === '' || instance_type === '' || more.length > 0)
    throw new UsageError('--like must be provider/region/type, such as aws/us-east-1/m5.xlarge')
  return { provider, region, instance_type }
}

function checkedFormat(format: string, formats: readonly string[]): string {
  if (formats.includes(format)) return format
  throw new UsageError(`--format must be one of ${formats.join(', ')}`)
}

const withoutUndefined = (members: Readonly<Record<string, unknown>>): ClusterPlanRequest =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))

async function show(call: Call, found: readonly ClusterRecommendation[], asked?: string): Promise<void> {
  const { renderClusters } = await import('../../render/clusters.ts')
  call.show(found, () => renderClusters(found, asked))
}
