import type { Resource } from '../input.ts'
import type { BuiltInModel } from '../model/built-in-model.ts'
import { basesOf, multiples } from '../model/grid.ts'
import type { ModelRisks, SizingModel } from '../model/predict.ts'
import type { FleetRows } from '../model/training-rows.ts'
import { type Decision, decideAllLevels, type Outlook, outlookOf } from './decide.ts'
import { riskLevels } from './levels.ts'

const maxSeries = 500

/**
 * Expected result of each risk level on the next day of all series: share of time above the request, and share
 * of usage above it.
 */
export function expectedRisks(model: SizingModel, rows: FleetRows, builtIn: BuiltInModel): ModelRisks {
  const risks: Partial<Record<Resource, number[]>> = {}
  let shortfalls: number[] | undefined
  for (const resource of ['cpu', 'memory'] as const) {
    const names = basesOf(resource)
    if (names.some((name) => model[name] === undefined)) continue
    const latest = names.map((name) => rows.get(name)!.flatMap((own) => own.at(-1) ?? []))
    const stride = Math.ceil(latest[0]!.length / maxSeries)
    const expected = latest[0]!
      .map((_, series) => series)
      .filter((series) => series % stride === 0)
      .map((series) => {
        const outlooks = new Map(
          names.map((name, i) => [name, outlookOf(model[name]!, name, latest[i]![series]!, builtIn)]),
        )
        return { outlooks, answers: decideAllLevels(resource, outlooks) }
      })
    risks[resource] = riskLevels[resource].map(
      (_, level) => expected.reduce((sum, { answers }) => sum + answers[level]!.share, 0) / expected.length,
    )
    if (resource === 'cpu')
      shortfalls = riskLevels.cpu.map(({ base }, level) =>
        shortfallOf(expected.map(({ outlooks, answers }) => [outlooks.get(base)!, answers[level]!])),
      )
  }
  return { risks, ...(shortfalls === undefined ? {} : { shortfalls }) }
}

/** All usage above the requests, divided by all usage. */
function shortfallOf(answers: readonly (readonly [Outlook, Decision])[]): number {
  let [above, used] = [0, 0]
  for (const [{ base, beyond }, { excess }] of answers) {
    above += excess
    used += base * (beyond[0]! + multiples[0]!)
  }
  return used > 0 ? above / used : 0
}
