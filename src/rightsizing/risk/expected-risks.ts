import type { Resource } from '../input.ts'
import { type BaseName, basesOf } from '../model/bases.ts'
import type { SizingModel } from '../model/experience.ts'
import type { DayRow } from '../model/training-rows.ts'
import { outlookOf } from './outlook.ts'
import { decideAllLevels } from './risk-position.ts'

const mostSeries = 500

/** Expected share above the request for each rung of the ladder, over the latest day of each series. */
export function expectedRisks(
  model: SizingModel,
  rows: ReadonlyMap<BaseName, readonly (readonly DayRow[])[]>,
): Partial<Record<Resource, number[]>> {
  const risks: Partial<Record<Resource, number[]>> = {}
  for (const resource of ['cpu', 'memory'] as const) {
    const names = basesOf(resource)
    if (names.some((name) => model[name] === undefined)) continue
    const latest = names.map((name) => rows.get(name)!.flatMap((own) => own.at(-1) ?? []))
    const stride = Math.ceil(latest[0]!.length / mostSeries)
    const answers = latest[0]!
      .map((_, series) => series)
      .filter((series) => series % stride === 0)
      .map((series) =>
        decideAllLevels(
          resource,
          new Map(names.map((name, i) => [name, outlookOf(model[name]!, name, latest[i]![series]!)])),
        ),
      )
    risks[resource] = answers[0]!.map(
      (_, rung) => answers.reduce((sum, own) => sum + own[rung]!.share, 0) / answers.length,
    )
  }
  return risks
}
