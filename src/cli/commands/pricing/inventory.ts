import { defaultOrganisation } from '../../../domain/key.ts'
import { type Call, type Command, CommandFailure, exitCode, listOption, UsageError } from '../../command.ts'
import { readJson } from '../../read-json.ts'
import { pricingFor } from './offline-pricing.ts'

export const inventoryCommand: Command = {
  name: 'inventory import',
  summary: 'Compare all machines and disks that a cloud CLI lists, offline; largest savings first',
  operands: 'FILE...',
  isOffline: true,
  settings: ['server', 'catalogue', 'providers', 'currency'],
  options: {
    usage: listOption('FILE', 'Average usage by instance: CloudWatch, Azure Monitor or Prometheus JSON'),
    'to-provider': listOption('NAME', 'Only candidates of this provider'),
    'to-region': listOption('NAME', 'Only candidates in this region'),
  },
  optionsByPointer: {
    '/predicates/providers': '--to-provider',
    '/predicates/regions': '--to-region',
  },
  notes:
    'FILE is the JSON of aws ec2 describe-instances or describe-volumes, az vm list or az disk list,\n' +
    'gcloud compute instances list or disks list --format=json, or hcloud server list -o json; - reads standard input.\n' +
    'Example: aws ec2 describe-instances | cheapside inventory import -\n' +
    'Without --usage, the whole machine counts as used. With --server, prices follow the price rules of its organisation.',
  run: async (call) => {
    const files = [...call.operands, ...list(call, 'usage')]
    if (files.filter((file) => file === '-').length > 1)
      throw new UsageError('standard input can be read only once')
    const { inventoryIn, usageIn } = await import('../../../pricing/inventory/read-documents.ts')
    const items = await readAll(call.operands, inventoryIn)
    const usage = await readAll(list(call, 'usage'), usageIn)
    const { compareInventory } = await import('../../../pricing/inventory/compare-inventory.ts')
    const deps = await pricingFor(call)
    const limits = { providers: list(call, 'to-provider'), regions: list(call, 'to-region') }
    const today = new Date().toISOString().slice(0, 10)
    const comparison = await compareInventory(deps, defaultOrganisation, items, today, usage, limits)
    if (call.json) call.out(JSON.stringify(comparison))
    else {
      const { renderInventory } = await import('../../render/inventory.ts')
      call.out(renderInventory(comparison))
    }
    return exitCode.done
  },
}

async function readAll<Item>(files: readonly string[], read: (document: unknown) => Item[]): Promise<Item[]> {
  const items: Item[][] = []
  for (const file of files) {
    const document = await readJson(file, `${file} is not JSON`)
    try {
      items.push(read(document))
    } catch (error) {
      throw error instanceof Error && error.name === 'UnknownDocument'
        ? new CommandFailure(`${file} ${error.message}`)
        : error
    }
  }
  return items.flat()
}

const list = (call: Call, option: string): string[] => call.texts(option) ?? []
