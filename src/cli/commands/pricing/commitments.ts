import { dollars } from '../../../domain/money.ts'
import type { CommitmentRecommendations } from '../../../pricing/commitments/recommendations-schema.ts'
import type {
  CommitmentsView,
  CommitmentUseView,
  CoverageView,
  CoveredMachines,
} from '../../../pricing/commitments/schema.ts'
import { type Command, exitCode, flagOption, textOption } from '../../command.ts'
import { organisationOption } from '../../organisation.ts'
import { formatPercent, hourly } from '../../render/figures.ts'
import { renderTable } from '../../render/table.ts'
import { withService } from '../../with-service.ts'
import { actionOf } from './prices.ts'

type SetCommitments = CommitmentsView & { readonly coverage?: CoverageView }

export const commitmentsCommand: Command = {
  name: 'prices commitments',
  summary: 'Show, set or try commitments: reserved instances, savings plans, committed use',
  operands: 'show | coverage | advise | set FILE | test FILE',
  operandCount: [1, 2],
  settings: ['server', 'data', 'catalogue', 'providers', 'currency'],
  options: {
    organisation: organisationOption,
    days: textOption('NUMBER', 'With advise: days of history that are replayed; default: 30'),
    now: flagOption('With advise: as machines and nodes ran, not as they are recommended'),
  },
  notes: [
    'FILE: YAML, JSON or CSV with the members of a commitment as columns; - reads standard input. set replaces all commitments,',
    'or none if one is wrong. test changes nothing, and shows what they would cover. coverage shows what is covered now, advise how much to commit for what runs steadily.',
  ].join('\n'),
  run: (call) =>
    withService(call, async (service) => {
      const { verb, body, isTest } = await actionOf(call, 'commitments', ['show', 'coverage', 'advise'])
      const path = '/v1/commitments'
      if (verb === 'coverage') {
        const coverage = await service.ask<CoverageView>(`${path}/coverage`)
        return call.show(coverage, () => coverageText(coverage))
      }
      if (verb === 'advise') {
        const query = { days: call.text('days'), sizes: call.flag('now') ? 'now' : undefined }
        const answer = await service.ask<CommitmentRecommendations>('/v1/commitment_recommendations', {
          query,
        })
        return call.show(answer, () => answerText(answer))
      }
      const answer = await (body === undefined
        ? service.ask<SetCommitments>(path)
        : service.ask<SetCommitments>(path + (isTest ? '?dry_run=true' : ''), { method: 'PUT', body }))
      if (call.json) call.out(JSON.stringify(answer))
      else if (answer.coverage === undefined) call.out(listText(answer.commitments))
      else call.out(`Nothing is saved.\n${coverageText(answer.coverage)}`)
      return exitCode.done
    }),
}

function listText(commitments: CommitmentsView['commitments']): string {
  if (commitments.length === 0) return 'No commitments are set.'
  return renderTable([
    ['COMMITMENT', 'KIND', 'PROVIDER', 'APPLIES TO', 'AMOUNT', 'UNTIL'],
    ...commitments.map((one) => [
      one.name,
      one.kind,
      one.provider,
      [one.instance_type, one.family, one.availability_zone ?? one.region, one.operating_system]
        .filter((text) => text !== undefined)
        .join(' ') || 'all',
      amountText(one),
      one.until,
    ]),
  ])
}

function amountText(one: CommitmentsView['commitments'][number]): string {
  if (one.kind === 'reserved_instance') return String(one.instances)
  if (one.kind === 'savings_plan') return `${hourly(one.usd_per_hour!)} per hour`
  return `${one.vcpus ?? 0} cores, ${one.memory_gib ?? 0} GiB`
}

const coverageText = (coverage: CoverageView): string =>
  [
    `${formatPercent(coverage.coverage_percent)} covered: ${hourly(coverage.covered_per_hour)} of ${hourly(coverage.on_demand_per_hour)} per hour, ${coverage.machines} machines on demand.`,
    ...(coverage.commitments.length === 0
      ? []
      : [renderTable([useHead, ...coverage.commitments.map(useRow)])]),
    ...(coverage.covered.length === 0
      ? []
      : [renderTable([coveredHead, ...coverage.covered.map(coveredRow)])]),
    coverage.note,
  ].join('\n')

const useHead = ['COMMITMENT', 'UNTIL', 'USED', 'COVERS PER HOUR', 'UNUSED PER MONTH']

const useRow = (use: CommitmentUseView): string[] => [
  use.name,
  use.until,
  use.utilisation_percent === null ? 'not active' : formatPercent(use.utilisation_percent),
  hourly(use.covered_per_hour),
  use.unused_per_month === null ? 'unknown' : dollars(use.unused_per_month),
]

const coveredHead = ['TYPE', 'REGION', 'MACHINES', 'COVERED', 'BY', 'LEAVING ONE SAVES PER MONTH']

const coveredRow = (one: CoveredMachines): string[] => [
  one.instance_type,
  one.region,
  String(one.count),
  formatPercent(one.covered_percent),
  one.commitments.join(', '),
  `${dollars(one.leaving.saves_per_month)} until ${one.leaving.until}, then ${dollars(one.leaving.saves_per_month_after)}`,
]

const answerText = (answer: CommitmentRecommendations): string =>
  [
    `${hourly(answer.on_demand_per_hour)} per hour is on demand and not covered, on average of ${answer.measured_hours} hours until ${answer.end_date.slice(0, 10)}.`,
    answer.recommendations.length === 0
      ? 'Nothing runs steadily enough for a commitment to pay.'
      : renderTable(
          [
            ['COMMIT', 'TERM', 'FOR', 'SAVES PER MONTH', 'USED', 'HOURS NOT FULL', 'PAYS FROM'],
            ...answer.recommendations.map((one) => [
              `${hourly(one.amount_per_hour)} per hour`,
              one.term,
              [one.provider, one.region, one.family].filter((text) => text !== null).join(' '),
              `${dollars(one.saves_per_month)} (${formatPercent(one.saves_percent)})`,
              formatPercent(one.used_percent),
              formatPercent(one.under_used_hours_percent),
              `${one.break_even_months} months`,
            ]),
          ],
          [3, 4, 5],
        ),
    ...answer.notes,
  ].join('\n')
