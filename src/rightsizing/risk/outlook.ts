import { type BaseName, bases, floors } from '../model/bases.ts'
import { type BaseModel, expectedShares, type KnownSeries, SharesWorkspace } from '../model/experience.ts'
import { excess } from '../model/grid.ts'
import { builtInExperience, type Experience } from '../model/prior.ts'
import type { Outlook } from './decide.ts'

/** What is expected of a series' next day, as far as shares are at most this one, and how much of the fleet it is. */
export function outlookOf(
  model: BaseModel | null,
  name: BaseName,
  known: KnownSeries,
  experience: Experience = builtInExperience,
  most = 1,
  workspace = new SharesWorkspace(),
): Outlook {
  const shares = expectedShares(model, known, experience[name], most, workspace)
  return {
    base: known.base,
    floor: floors[bases[name].resource],
    smallness: smallnessOf(model, known.base),
    shares,
    beyond: excess(shares, most, workspace.beyond),
  }
}

/** Beyond these a series is as good as nothing, or as good as all, of what the fleet costs. */
const leastSmallness = 1 / 50
const mostSmallness = 50

function smallnessOf(model: BaseModel | null, base: number): number {
  return model === null ? 1 : Math.max(leastSmallness, Math.min(mostSmallness, model.meanBase / base))
}
