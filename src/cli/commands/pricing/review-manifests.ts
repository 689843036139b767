import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClusterPricing } from '../../../pricing/manifests/cluster-prices.ts'
import type { ManifestChange } from '../../../pricing/terraform/review/review-plan.ts'
import { type Call, CommandFailure, UsageError } from '../../command.ts'
import { fileFault, readInput } from '../../read-json.ts'

const maxFiles = 5_000
const maxBytes = 64 * 2 ** 20

/** Reads --manifests and --manifests-before with the prices of the cluster; undefined if they are not given. */
export async function manifestChange(call: Call): Promise<ManifestChange | undefined> {
  const path = call.text('manifests')
  const base = call.text('manifests-before')
  if (path === undefined) {
    for (const option of ['manifests-before', 'cluster-prices', 'nodes'])
      if (call.text(option) !== undefined) throw new UsageError(`--${option} needs --manifests`)
    return undefined
  }
  if (call.operands.length > 0) throw new UsageError('plans and --manifests cannot be reviewed together')
  const nodes = call.number('nodes', { least: 0, isWhole: true })
  const pricing = pricingOf(call.text('cluster-prices'))
  const before = base === undefined ? [] : await readManifests(base)
  return { before, after: await readManifests(path), pricing, nodes }
}

/** core=0.03,gib=0.004 or aws/us-east-1/m5.large or aws/us-east-1/m5.large/spot */
function pricingOf(text: string | undefined): ClusterPricing {
  const rates = /^core=(\d*\.?\d+),gib=(\d*\.?\d+)$/.exec(text ?? '')
  if (rates !== null) return { corePerHourUsd: Number(rates[1]), gibPerHourUsd: Number(rates[2]) }
  const [provider = '', region = '', instanceType = '', usageType = 'ondemand', ...more] = (text ?? '').split(
    '/',
  )
  if (provider === '' || region === '' || instanceType === '' || more.length > 0)
    throw new UsageError(
      '--manifests needs --cluster-prices: the type of the nodes, such as aws/us-east-1/m5.large or aws/us-east-1/m5.large/spot, or US dollars an hour, such as core=0.03,gib=0.004',
    )
  return { provider, region, instanceType, usageType }
}

/** Returns the objects of a file, of standard input (-), or of all YAML and JSON files below a directory. */
export async function readManifests(path: string): Promise<unknown[]> {
  const { parseAllDocuments } = await import('yaml')
  const objects: unknown[] = []
  let bytes = 0
  for (const file of await filesOf(path)) {
    const content = await readInput(file)
    bytes += content.length
    if (bytes > maxBytes) throw new CommandFailure(`${path} has more than ${maxBytes} bytes of manifests`)
    // JSON is YAML too.
    for (const document of parseAllDocuments(content.toString('utf8'))) {
      const [fault] = document.errors
      if (fault !== undefined)
        throw new CommandFailure(
          `${file} is not YAML: ${fault.message.split('\n')[0]} Render templates first, with helm template or kustomize build.`,
        )
      try {
        objects.push(document.toJS({ maxAliasCount: 100 }))
      } catch (error) {
        throw new CommandFailure(`${file} cannot be read: ${(error as Error).message}`)
      }
    }
  }
  return objects
}

async function filesOf(path: string): Promise<string[]> {
  try {
    if (path === '-' || !(await stat(path)).isDirectory()) return [path]
    const entries = await readdir(path, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/i.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !/[\\/](?:\.git|node_modules)[\\/]/.test(file))
      .sort()
    if (files.length === 0) throw new CommandFailure(`${path} has no YAML or JSON files`)
    if (files.length > maxFiles)
      throw new CommandFailure(`${path} has more than ${maxFiles} files of manifests`)
    return files
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`${path} cannot be read: ${fileFault(error)}`)
  }
}
