import { plural } from '../../../domain/text.ts'
import type { CostRecountView } from '../../../pricing/schema.ts'
import { type Command, textOption, UsageError } from '../../command.ts'
import { organisationOption } from '../../organisation.ts'
import { withService } from '../../with-service.ts'

export const recountCommand: Command = {
  name: 'prices recount',
  summary: 'Count the costs of past days again at current prices',
  settings: ['server', 'data', 'catalogue', 'providers'],
  options: {
    organisation: organisationOption,
    start: textOption('DATE', 'First day, such as 2026-11-01'),
    end: textOption('DATE', 'Last day; default: only the first one'),
  },
  optionsByPointer: { '/start_date': '--start', '/end_date': '--end' },
  notes:
    'A day that is over keeps the prices of its nodes, machines, volumes and load balancers. This replaces them by the current prices, for good.',
  run: (call) =>
    withService(call, async (service) => {
      const start_date = call.text('start')
      if (start_date === undefined) throw new UsageError('--start is missing')
      const body = { start_date, end_date: call.text('end') }
      const done = await service.ask<CostRecountView>('/v1/cost_recounts', { method: 'POST', body })
      const { days, nodes, end_date } = done
      return call.show(
        done,
        () =>
          `Counted ${plural(days, 'day')} again at ${plural(nodes, 'current price')}, from ${start_date} to ${end_date}.`,
      )
    }),
}
