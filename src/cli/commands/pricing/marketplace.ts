import type { MarketplaceProviders, RegistrationResult } from '../../../pricing/own-prices/schema.ts'
import { type Command, exitCode, flagOption, textOption, UsageError } from '../../command.ts'
import { organisationOption } from '../../organisation.ts'
import { readInput } from '../../read-json.ts'
import { renderBadLines, renderCalls } from '../../render/csv-import.ts'
import { renderTable } from '../../render/table.ts'
import { withService } from '../../with-service.ts'

const path = '/marketplace/providers'

/** Changes an organisation's own prices. A running service on the same database follows within seconds. */
export const marketplaceCommands: readonly Command[] = [
  {
    name: 'marketplace import',
    summary: 'Register the prices of a CSV file',
    operands: 'PRICES.csv',
    settings: ['server', 'data', 'providers'],
    options: {
      organisation: organisationOption,
      name: textOption('NAME', 'Provider to register under; default: the column provider'),
      'skip-bad': flagOption('Register the valid lines even if others are invalid'),
      'dry-run': flagOption('Check the file without registering anything'),
    },
    notes:
      'The first line names the columns: cost_per_hour, cpu_cores, ram_gb, instance_type, region, and optionally\n' +
      'usage_type, provider, service, operating_system, availability_zone, raw_pricing_data.',
    run: async (call) => {
      const file = call.operands[0]!
      const text = (await readInput(file)).toString('utf8')
      const { readMarketplaceCsv } = await import('../../../pricing/own-prices/marketplace-csv.ts')
      const { providerNameError } = await import('../../../pricing/own-prices/provider-name.ts')
      const { enabledProviders } = await import('../../../pricing/market.ts')
      const { findProvider } = enabledProviders(call.settings.providers)
      const { nameError } = await import('../../../pricing/own-prices/marketplace-entry.ts')
      return withService(call, async (service) => {
        const name = call.text('name')
        const wrong =
          name === undefined ? undefined : (nameError(name) ?? providerNameError(name, findProvider))
        if (wrong !== undefined) throw new UsageError(`--name ${wrong}`)
        const read = readMarketplaceCsv(text, {
          findProvider,
          ...(name === undefined ? {} : { name }),
        })
        const { lines, bad, calls, ignoredColumns } = read
        if (!call.json && (bad.length > 0 || ignoredColumns.length > 0))
          call.err(renderBadLines(read).trimEnd())
        const refused = bad.length > 0 && !call.flag('skip-bad')
        const stop = refused || calls.length === 0
        let registered = 0
        if (!stop && !call.flag('dry-run')) {
          for (const { name, entries } of calls)
            registered += (await service.ask<RegistrationResult>(path, { body: { name, entries } })).Entries
        }
        if (call.json) call.out(JSON.stringify({ lines, bad, registered, ignored_columns: ignoredColumns }))
        else if (!stop) call.out(renderCalls(read, call.flag('dry-run')).trimEnd())
        if (stop && !call.json)
          call.err(
            `Nothing was registered.${refused && calls.length > 0 ? ' --skip-bad registers the valid lines.' : ''}`,
          )
        return stop ? exitCode.failed : exitCode.done
      })
    },
  },
  {
    name: 'marketplace list',
    summary: 'List registered providers',
    settings: ['server', 'data'],
    options: { organisation: organisationOption },
    run: (call) =>
      withService(call, async (service) => {
        const list = await service.ask<MarketplaceProviders>(path)
        if (call.json) call.out(JSON.stringify(list))
        else if (list.count === 0) call.out('No provider is registered.')
        else
          call.out(
            renderTable([
              ['PROVIDER', 'SERVICE'],
              ...list.providers.map((item) => [item.provider, item.service]),
            ]),
          )
        return exitCode.done
      }),
  },
  {
    name: 'marketplace remove',
    summary: 'Remove a registered provider with all its prices',
    operands: 'NAME',
    settings: ['server', 'data'],
    options: { organisation: organisationOption },
    run: (call) =>
      withService(call, async (service) => {
        const name = call.operands[0]!
        const { Entries, ...rest } = await service.ask<{ Entries: number }>(
          `${path}/${encodeURIComponent(name)}`,
          { method: 'DELETE' },
        )
        return call.show({ Entries, ...rest }, () => `Removed ${name} with ${Entries} prices.`)
      }),
  },
]
