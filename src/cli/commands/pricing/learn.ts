import type { ExchangeRate } from '../../../domain/manifest.ts'
import { dollars } from '../../../domain/money.ts'
import type { BillTotals } from '../../../pricing/bill/bill-totals.ts'
import type { LearnedPrices } from '../../../pricing/bill/schema.ts'
import type { CommitmentsView } from '../../../pricing/commitments/schema.ts'
import type { PriceRulesPreview, PriceRulesView } from '../../../pricing/rules/schema.ts'
import { type Call, type Command, CommandFailure, exitCode, flagOption } from '../../command.ts'
import { organisationOption } from '../../organisation.ts'
import { fileFault } from '../../read-json.ts'
import { formatPercent } from '../../render/figures.ts'
import { renderTable } from '../../render/table.ts'
import type { ServiceClient } from '../../server.ts'
import { withService } from '../../with-service.ts'
import { offlinePricing } from './offline-pricing.ts'
import { previewText, rulesText } from './prices.ts'

type Preview = PriceRulesView & { readonly preview: PriceRulesPreview }

/** Reads bills in this process: they are not sent to the service. */
export const learnCommand: Command = {
  name: 'prices learn',
  summary: 'Learn price rules and commitments from bills: FOCUS or CUR 2.0, as CSV or Parquet',
  operands: 'FILE...',
  settings: ['server', 'data', 'catalogue', 'providers', 'currency'],
  options: {
    organisation: organisationOption,
    accept: flagOption('Add what was learnt to your price rules and commitments'),
  },
  notes:
    'FILE: FOCUS 1.0 to 1.4 or AWS CUR 2.0; CSV, CSV with gzip, or Parquet. All files are taken as one bill. Bills stay on this\n' +
    'machine and are not kept. Without --accept nothing is saved: it shows what would be set and what would change.',
  run: async (call) => {
    const deps = await offlinePricing(call.settings)
    const totals = await readBills(call, deps.exchange?.() ?? null)
    const { learnPrices } = await import('../../../pricing/bill/learn-prices.ts')
    const { checkPriceRules } = await import('../../../pricing/rules/store-rules.ts')
    return withService(call, async (service) => {
      const set = await service.ask<PriceRulesView>('/v1/price_rules')
      const learned = learnPrices(deps, checkPriceRules(set.rules), totals)
      const rules = [...set.rules, ...learned.rules]
      const preview =
        learned.rules.length === 0
          ? undefined
          : (await service.ask<Preview>('/v1/price_rules?dry_run=true', { method: 'PUT', body: { rules } }))
              .preview
      const isAccepted = call.flag('accept')
      call.show({ ...learned, preview, is_saved: isAccepted }, () => learnedText(learned, preview))
      if (isAccepted) await accept(service, set, learned)
      if (!call.json) call.out(isAccepted ? 'Saved.' : 'Nothing is saved; --accept sets them.')
      return exitCode.done
    })
  },
}

async function readBills({ operands, progress }: Call, exchange: ExchangeRate | null): Promise<BillTotals> {
  const { BillTotals, currencyFault } = await import('../../../pricing/bill/bill-totals.ts')
  const { readBill } = await import('../../../pricing/bill/read-bill.ts')
  const { BadBill } = await import('../../../pricing/bill/csv-rows.ts')
  const totals = new BillTotals(exchange)
  for (const file of operands) {
    progress(`Reading ${file}`)
    await readBill(file, (line) => totals.add(line)).catch((error: Error) => {
      if (error instanceof BadBill) throw new CommandFailure(`${file} ${error.message}`)
      throw new CommandFailure(`${file} cannot be read: ${fileFault(error)}`)
    })
  }
  const fault = currencyFault(totals)
  if (fault !== undefined) throw new CommandFailure(`the bill ${fault}`)
  return totals
}

/** Fails rather than overwrite what somebody else has set in the meantime. */
async function accept(service: ServiceClient, set: PriceRulesView, learned: LearnedPrices): Promise<void> {
  if (learned.rules.length > 0)
    await service.ask('/v1/price_rules', {
      method: 'PUT',
      body: { rules: [...set.rules, ...learned.rules] },
      ifMatch: set.etag,
    })
  if (learned.commitments.length === 0) return
  const { commitments, etag } = await service.ask<CommitmentsView>('/v1/commitments')
  const names = new Set(learned.commitments.map(({ name }) => name))
  await service.ask('/v1/commitments', {
    method: 'PUT',
    body: { commitments: [...commitments.filter(({ name }) => !names.has(name)), ...learned.commitments] },
    ifMatch: etag,
  })
}

function learnedText(learned: LearnedPrices, preview: PriceRulesPreview | undefined): string {
  const { on_demand: machines, classes, rules, commitments, differences } = learned
  return [
    `${learned.lines} lines from ${learned.from} to ${learned.until} (UTC).`,
    renderTable(
      [
        ['LINES ABOUT', 'LINES', 'COST'],
        ...classes.map((one) => [one.class, String(one.lines), dollars(one.cost)]),
      ],
      [1, 2],
    ),
    `Machines on demand: billed ${dollars(machines.billed)}, by your prices now ${dollars(machines.now)}, with these rules ${dollars(machines.proposed)}.`,
    ...(learned.disks.billed === 0
      ? []
      : [
          `Disks: billed ${dollars(learned.disks.billed)}, listed ${dollars(learned.disks.listed)}. Rules do not change prices of disks.`,
        ]),
    ...(learned.exchange === null
      ? []
      : [
          `1 ${learned.exchange.currency} is taken as ${learned.exchange.usd} US dollars, of ${learned.exchange.day}; what the provider converts at is part of these percentages.`,
        ]),
    `Rules and commitments explain ${formatPercent(learned.explained_percent)} of what machines cost; your prices now ${formatPercent(learned.explained_percent_now)}.`,
    ...(rules.length === 0 ? [] : [rulesText(rules)]),
    ...(commitments.length === 0
      ? []
      : [
          renderTable([
            ['COMMITMENT', 'KIND', 'AMOUNT', 'UNTIL'],
            ...commitments.map((one) => [
              one.name,
              one.kind,
              one.kind === 'savings_plan'
                ? `$${one.usd_per_hour} per hour`
                : `${one.instances} x ${one.instance_type}`,
              one.until,
            ]),
          ]),
        ]),
    ...(differences.length === 0
      ? []
      : ['Not explained:', renderTable([differenceHead, ...differences.map(differenceRow)])]),
    ...(preview === undefined ? [] : [previewText(preview)]),
  ].join('\n')
}

const differenceHead = ['TYPE', 'PROVIDER', 'REGION', 'SYSTEM', 'QUANTITY', 'BILLED', 'WITH THESE RULES']

const differenceRow = (one: LearnedPrices['differences'][number]): string[] => [
  one.instance_type,
  one.provider,
  one.region,
  one.unit === 'hour' ? (one.operating_system ?? 'other') : '-',
  `${one.quantity} ${one.unit}s`,
  dollars(one.billed),
  one.proposed === null ? 'no listed price' : dollars(one.proposed),
]
