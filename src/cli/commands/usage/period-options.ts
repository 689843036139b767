import { type CommandOption, textOption } from '../../command.ts'

/** Options for the period of time that a command reports. */
export const periodOptions = (defaultDays: number): Readonly<Record<'start' | 'end', CommandOption>> => ({
  start: textOption(
    'TIME',
    `Start of the period, such as 2026-11-01T00:00:00Z; default: ${defaultDays} days before its end`,
  ),
  end: textOption('TIME', 'End of the period; default: now'),
})

export const periodPointers = { '?start_date': '--start', '?end_date': '--end' } as const
