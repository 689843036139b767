import { writeFile } from 'node:fs/promises'
import type { DecidableState } from '../../../domain/recommendation.ts'
import { plural } from '../../../domain/text.ts'
import type { DecidedRecommendation } from '../../../recommendations/list/change-schema.ts'
import type { ExplainedRecommendation, RecommendationPage } from '../../../recommendations/list/schema.ts'
import type { PatchFormat } from '../../../recommendations/manifests/patches.ts'
import {
  type Command,
  CommandFailure,
  type CommandOption,
  exitCode,
  textOption,
  UsageError,
} from '../../command.ts'
import { organisationOption } from '../../organisation.ts'
import { fileFault } from '../../read-json.ts'
import { withService } from '../../with-service.ts'

const path = '/v1/recommendations'

const settings = ['server', 'data', 'catalogue', 'providers', 'currency'] as const

const filters: Readonly<Record<string, CommandOption>> = {
  kind: textOption('KINDS', 'container, machine, idle, cluster, volume, separated by commas; default: all'),
  state: textOption('STATES', 'open, accepted, dismissed, snoozed, applied, or all; default: open'),
  risk: textOption('RISKS', 'low, medium, high; default: all'),
  finding: textOption(
    'FINDINGS',
    'Only recommendations with this finding: crash-loop, oom-kills, throttled, leak, no-requests, no-memory-limit',
  ),
  cluster: textOption('NAME', 'Only this cluster'),
  namespace: textOption('NAME', 'Only this namespace'),
  'min-worth': textOption('USD', 'Only recommendations that save at least this much per month'),
  'min-confidence': textOption('SHARE', 'Only recommendations with at least this confidence, from 0 to 1'),
  q: textOption('TEXT', 'Only recommendations whose title or name contains this'),
  'idle-days': textOption('DAYS', 'Days without use after which something is idle; default: 7'),
  limit: textOption('COUNT', 'At most this many; default: 100'),
}

const reason = textOption('TEXT', 'Reason for the decision')

const decision = (
  verb: string,
  state: DecidableState,
  summary: string,
  options: Readonly<Record<string, CommandOption>>,
): Command => ({
  name: `recommendations ${verb}`,
  summary,
  operands: 'ID...',
  settings,
  options: { organisation: organisationOption, ...options },
  run: (call) =>
    withService(call, async (service) => {
      const body = {
        ids: call.operands,
        state,
        reason: call.text('reason'),
        until: call.time('until', 'end'),
      }
      const decided = await service.ask<DecidedRecommendation>(path, { method: 'PATCH', body })
      call.show(
        decided,
        () =>
          `${plural(decided.recommendations.length, 'recommendation')} ${state === 'open' ? 'reopened' : state}.`,
      )
      if (decided.unknown.length === 0) return exitCode.done
      if (!call.json) call.err(`No recommendation has the id ${decided.unknown.join(', ')}.`)
      return exitCode.failed
    }),
})

export const recommendationCommands: readonly Command[] = [
  {
    name: 'recommendations list',
    summary:
      'List recommendations for containers, machines, idle workloads, clusters and volumes, largest savings first',
    settings,
    options: { organisation: organisationOption, ...filters },
    run: (call) =>
      withService(call, async (service) => {
        const query = {
          kind: call.text('kind'),
          state: call.text('state'),
          risk: call.text('risk'),
          finding: call.text('finding'),
          cluster: call.text('cluster'),
          namespace: call.text('namespace'),
          min_worth: call.number('min-worth'),
          min_confidence: call.number('min-confidence'),
          q: call.text('q'),
          idle_days: call.number('idle-days', { least: 1, most: 14, isWhole: true }),
          limit: call.number('limit', { least: 1, most: 1000, isWhole: true }),
        }
        const page = await service.ask<RecommendationPage>(path, { query })
        const { renderRecommendations } = await import('../../render/recommendations.ts')
        return call.show(page, () => renderRecommendations(page))
      }),
  },
  {
    name: 'recommendations show',
    summary: 'Show a recommendation: sizes, cost, reasons, and what other rules would recommend',
    operands: 'ID',
    settings,
    options: { organisation: organisationOption },
    run: (call) =>
      withService(call, async (service) => {
        const explained = await service.ask<ExplainedRecommendation>(
          `${path}/${encodeURIComponent(call.operands[0]!)}`,
        )
        const { renderRecommendation } = await import('../../render/recommendations.ts')
        return call.show(explained, () => renderRecommendation(explained))
      }),
  },
  decision(
    'accept',
    'accepted',
    'Accept recommendations; the recommended sizes no longer change until they are applied',
    {
      reason,
    },
  ),
  decision('dismiss', 'dismissed', 'Dismiss recommendations, with a reason', { reason }),
  decision('snooze', 'snoozed', 'Snooze recommendations until a time, with a reason', {
    reason,
    until: textOption(
      'TIME',
      'End of the snooze, such as 2026-12-01, which includes that day, or 2026-12-01T08:00:00Z',
    ),
  }),
  decision('reopen', 'open', 'Reopen recommendations that were accepted, dismissed or snoozed', { reason }),
  {
    name: 'recommendations patch',
    summary: 'Write Kubernetes patches for recommendations',
    operands: 'ID...',
    settings,
    options: {
      organisation: organisationOption,
      format: textOption('FORMAT', 'patch (for kubectl apply --server-side) or kustomize; default: patch'),
      out: textOption('FILE', 'Write to this file; default: standard output'),
    },
    optionsByPointer: { '?ids': 'ID' },
    run: (call) =>
      withService(call, async (service) => {
        const format = call.text('format') ?? 'patch'
        if (format !== 'patch' && format !== 'kustomize')
          throw new UsageError('--format must be patch or kustomize')
        const patches = await service.text(`${path}/patches`, {
          query: { ids: call.operands.join(','), format: format satisfies PatchFormat },
        })
        const file = call.text('out')
        if (file !== undefined)
          await writeFile(file, patches).catch((error: Error) => {
            throw new CommandFailure(`${file} cannot be written: ${fileFault(error)}`)
          })
        return call.show({ patches }, () => (file === undefined ? patches.trimEnd() : `Wrote ${file}.`))
      }),
  },
]
