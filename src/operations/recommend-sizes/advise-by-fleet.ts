import { baseOf, featuresOf } from '../../rightsizing/bases.ts'
import { dailyUsage } from '../../rightsizing/days.ts'
import { decide } from '../../rightsizing/decide.ts'
import { cpuKnowledge, memoryKnowledge } from '../../rightsizing/features.ts'
import { resourceHistory } from '../../rightsizing/history.ts'
import type { Resource, UsageSpan } from '../../rightsizing/input.ts'
import { ladder, type ProfileName, type Rung, rungsOf } from '../../rightsizing/ladder.ts'
import type { SizingModel } from '../../rightsizing/model.ts'
import { outlookOf } from '../../rightsizing/outlook.ts'
import type { Advice, Advisor, Band, ContainerHistory } from './advice.ts'

/** Kept for so many days a series is known well. */
const grownDays = 14
const leastHours = 1
/** After a kill for lack of memory: at least this much more than it had. */
const raiseAfterKill = 1.2

interface Estimated {
  readonly band: Band
  readonly age: number
  readonly said: readonly { readonly says: string; readonly value: number }[]
}

/** Our own policy: what past days of the whole fleet say of the next one, and what risk is worth to the profile. */
export const adviseByFleet =
  (profile: ProfileName, model: SizingModel | undefined): Advisor =>
  (history) => {
    const hours = history.spans.reduce((sum, { hours: of }) => sum + of, 0)
    const cpu = hours < leastHours ? null : cpuOf(history, profile, model)
    const memory = hours < leastHours ? null : memoryOf(history, profile, model)
    const age = Math.max(cpu?.estimated.age ?? 0, memory?.estimated.age ?? 0)
    return {
      cpu: cpu?.estimated.band ?? null,
      memory: memory?.estimated.band ?? null,
      confidence: Math.min(1, age / grownDays) * (model === undefined ? 0.8 : 1),
      reasons: [...(cpu?.reasons ?? [tooLittle('CPU')]), ...(memory?.reasons ?? [tooLittle('memory')])],
      explanation: { cpu: cpu?.estimated.said ?? null, memory: memory?.estimated.said ?? null },
    } satisfies Advice
  }

type Judged = { readonly estimated: Estimated; readonly reasons: readonly string[] } | null

function cpuOf(history: ContainerHistory, profile: ProfileName, model: SizingModel | undefined): Judged {
  const estimated = largerOf(history, 'cpu', profile, model)
  if (estimated === null) return null
  const { scaledAt, now } = history
  if (scaledAt.cpu !== undefined && now.cpuRequest !== undefined) {
    const reason = `CPU is left alone: an autoscaler adds pods at ${scaledAt.cpu}% of the request, so another request would change how many there are.`
    return {
      estimated: { ...estimated, band: { ...estimated.band, target: now.cpuRequest } },
      reasons: [reason],
    }
  }
  return { estimated, reasons: [reasonOf('CPU', estimated, history)] }
}

function memoryOf(history: ContainerHistory, profile: ProfileName, model: SizingModel | undefined): Judged {
  const estimated = largerOf(history, 'memory', profile, model)
  if (estimated === null) return null
  const kills = history.spans.reduce((sum, { oomKills = 0 }) => sum + oomKills, 0)
  if (kills === 0) return { estimated, reasons: [reasonOf('Memory', estimated, history)] }
  const peak = history.spans.reduce((most, { memory }) => Math.max(most, memory?.max ?? 0), 0) / 2 ** 30
  const least = raiseAfterKill * Math.max(peak, history.now.memoryLimit ?? history.now.memoryRequest ?? 0)
  const target = Math.max(estimated.band.target, least)
  const band = {
    target,
    lower: Math.max(estimated.band.lower, peak),
    upper: Math.max(estimated.band.upper, target),
  }
  const said = [
    ...estimated.said,
    { says: `at least ${raiseAfterKill} times what it was killed with`, value: least },
  ]
  return {
    estimated: { ...estimated, band, said },
    reasons: [
      `Memory is raised: it was killed for lack of memory ${kills === 1 ? 'once' : `${kills} times`}.`,
    ],
  }
}

/** Of all pods together, and of one that works far harder. */
function largerOf(
  { spans, busiest, atHour }: ContainerHistory,
  resource: Resource,
  profile: ProfileName,
  model: SizingModel | undefined,
): Estimated | null {
  const all = estimate(spans, atHour, resource, profile, model)
  const one = busiest && estimate(busiest, atHour, resource, profile, model)
  return one && all && one.band.target > all.band.target ? one : all
}

function estimate(
  spans: readonly UsageSpan[],
  atHour: number,
  resource: Resource,
  profile: ProfileName,
  model: SizingModel | undefined,
): Estimated | null {
  const usage = dailyUsage(resourceHistory(spans, resource), atHour)
  const knowledge = (resource === 'cpu' ? cpuKnowledge : memoryKnowledge)(usage, usage.days.length)
  if (knowledge === null) return null
  const at = ({ base: name, prices }: Rung) => {
    const base = baseOf(knowledge, name)
    const known = { base, features: featuresOf(knowledge, base), age: knowledge.age }
    return { base, ...decide(outlookOf(model?.[name] ?? null, name, known), prices) }
  }
  const rungs = ladder[resource]
  const rung = rungsOf[resource][profile]
  const target = at(rung)
  const width = 1 + 1 / (knowledge.age + 1)
  return {
    age: knowledge.age,
    band: {
      target: target.request,
      lower: Math.min(target.request, at(rungs[0]!).request) / width,
      upper: Math.max(target.request, at(rungs.at(-1)!).request) * width,
    },
    said: [
      { says: `${rung.base} of its past, recent days counting more`, value: target.base },
      { says: 'the size with the least cost of keeping it and of being above it', value: target.request },
    ],
  }
}

function reasonOf(what: string, { age }: Estimated, { busiest }: ContainerHistory): string {
  const from = `from ${age === 1 ? 'one day' : `${age} days`} of history`
  return `${what}: ${from}${busiest === undefined ? '' : ', of its busiest pod where that needs more'}.`
}

const tooLittle = (what: string): string =>
  `Too little data: no ${what} recommendation can be made from less than an hour of usage.`
