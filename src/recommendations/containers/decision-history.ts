import { decodeDecision } from '../../decisions/decision-codec.ts'
import { baseRates } from '../../domain/money.ts'
import { dayHours, timeOfHour } from '../../domain/time.ts'
import { roundUpSize } from '../../rightsizing/advisor.ts'
import { constraintsFor, type RuledContainer } from '../../rightsizing/constraints/sizing-rules.ts'
import { sizeFromEvidence } from '../../rightsizing/size-from-evidence.ts'
import type { HourRange } from '../../usage/reading/pod-usage.ts'
import type { SizesDeps } from './size-namespaces.ts'

type DecidedContainer = Pick<RuledContainer, 'cluster' | 'namespace' | 'workload' | 'container'>

/** The requests that were decided for a container on each day, at the preference and rules of now; rules by label or image do not apply. */
export async function decisionHistory(
  { store, preferenceOf, rules }: Pick<SizesDeps, 'store' | 'preferenceOf' | 'rules'>,
  organisation: string,
  { cluster, namespace, workload, container }: DecidedContainer,
  hours: HourRange,
) {
  const place = { kind: 'container', cluster, namespace } as const
  const days = { from: Math.floor(hours.from / dayHours), to: Math.ceil(hours.to / dayHours) }
  const [stored, preference, all] = await Promise.all([
    store.decisions.read(organisation, place, [`${workload}/${container}`], days),
    preferenceOf(organisation),
    rules(organisation),
  ])
  const ruled = { cluster, namespace, workload, container, image: '', labelOf: () => '' }
  const { constraints } = constraintsFor(all, {}, ruled)
  return stored.flatMap((row) => {
    const decision = decodeDecision(row)
    if (decision === undefined) return []
    const { evidence, current, replicas, day } = decision
    const options = { prices: baseRates, preference, constraints, replicas, round: roundUpSize }
    const { cpu, memory } = sizeFromEvidence(evidence, current, options)
    return [
      {
        start: timeOfHour(day * dayHours),
        cpu_cores: cpu?.target ?? null,
        memory_gib: memory?.target ?? null,
      },
    ]
  })
}
