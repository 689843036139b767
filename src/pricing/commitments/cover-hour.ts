import type { Commitment, PlanRate, RunningKind } from './commitment.ts'

/** What of one hour the commitments cover, in the order of the commitments and of the kinds. */
export interface HourCoverage {
  readonly uses: readonly CommitmentUse[]
  readonly kinds: readonly KindCoverage[]
}

export interface CommitmentUse {
  /** In units of its first size, US dollars at plan rates, or cores and GiB: the share of the amount that is used, 0 to 1. */
  readonly utilisation: number
  readonly coveredUsd: number
}

export interface KindCoverage {
  /** What is paid on demand for all machines of the kind, with licences. */
  readonly onDemandUsd: number
  readonly coveredUsd: ReadonlyMap<number, number>
}

/** The machines whose cores and memory are not covered yet; fractions are partly covered machines. */
interface Left {
  readonly kind: RunningKind
  /** Names in lower case, as commitments have them. */
  readonly names: Readonly<Record<'region' | 'zone' | 'family' | 'instanceType', string>>
  cores: number
  memory: number
  readonly coveredUsd: Map<number, number>
}

/**
 * Applies commitments to the usage of one hour as providers document it: reservations, zonal before regional and from
 * the smallest size to the largest; then committed cores and GiB; then savings plans, the narrower and the longer first,
 * each to the usage with the highest discount first. What is not used in the hour is lost.
 */
export function coverHour(
  commitments: readonly Commitment[],
  kinds: readonly RunningKind[],
  planRate: PlanRate,
): HourCoverage {
  const steps = coverSteps(commitments, kinds, planRate)
  for (let next = steps.next(); ; next = steps.next()) if (next.done) return next.value
}

/** Like coverHour, but pauses after each commitment, so that many of them do not keep others waiting. */
export function* coverSteps(
  commitments: readonly Commitment[],
  kinds: readonly RunningKind[],
  planRate: PlanRate,
): Generator<undefined, HourCoverage> {
  const left = kinds.map(
    (kind): Left => ({
      kind,
      names: {
        region: kind.region.toLowerCase(),
        zone: kind.zone.toLowerCase(),
        family: kind.family.toLowerCase(),
        instanceType: kind.instanceType.toLowerCase(),
      },
      cores: kind.quantity,
      memory: kind.quantity,
      coveredUsd: new Map(),
    }),
  )
  const uses: CommitmentUse[] = Array.from(commitments, () => ({ utilisation: 0, coveredUsd: 0 }))
  const order = commitments
    .map((_, index) => index)
    .sort((a, b) => rank(commitments[a]!) - rank(commitments[b]!))
  for (const index of order) {
    const commitment = commitments[index]!
    const places = left.filter((one) => isLeft(one) && isInScope(commitment, one))
    const utilisation = applyOne(commitment, index, places, planRate)
    uses[index] = { utilisation, coveredUsd: coveredBy(places, index) }
    yield
  }
  return {
    uses,
    kinds: left.map((one) => ({
      onDemandUsd: leftUsd(one) + one.kind.quantity * one.kind.uncoverableUsd,
      coveredUsd: one.coveredUsd,
    })),
  }
}

function rank({ kind, zone, family, region, term }: Commitment): number {
  if (kind === 'reserved_instance') return zone === undefined ? 1 : 0
  if (kind === 'committed_use') return 2
  return 3 + (family === undefined ? 4 : 0) + (region === undefined ? 2 : 0) + (term === '3y' ? 0 : 1)
}

function applyOne(commitment: Commitment, index: number, places: readonly Left[], planRate: PlanRate) {
  if (commitment.kind === 'reserved_instance') return applyReservation(commitment, index, places)
  if (commitment.kind === 'committed_use') return applyCommittedUse(commitment, index, places)
  return applyPlan(commitment, index, places, planRate)
}

const isInScope = ({ provider, region, zone, family, operatingSystem }: Commitment, { kind, names }: Left) =>
  provider === kind.provider &&
  (region === undefined || region === names.region) &&
  (zone === undefined || zone === names.zone) &&
  (family === undefined || family === names.family) &&
  (operatingSystem === undefined || operatingSystem === kind.operatingSystem)

/** 1 m3.2xlarge has 16 units: two m3.large (4 each) and one m3.xlarge (8), or half of an m3.4xlarge (32). */
function applyReservation(
  { instanceType, flexible, amount, usedElsewhere }: Commitment,
  index: number,
  places: readonly Left[],
): number {
  const sizeOf = ({ kind }: Left): number => (flexible === undefined ? 1 : kind.flexible!.units)
  const covered = places
    .filter(({ kind, names }) =>
      flexible === undefined ? names.instanceType === instanceType : kind.flexible?.group === flexible.group,
    )
    .sort((a, b) => sizeOf(a) - sizeOf(b))
  const bought = amount.instances * (flexible?.units ?? 1) * (1 - usedElsewhere)
  let units = bought
  for (const one of covered) {
    const machines = Math.min(one.cores, one.memory, units / sizeOf(one))
    take(one, index, machines, machines)
    units -= machines * sizeOf(one)
  }
  return shareUsed(units, bought)
}

function applyCommittedUse({ amount, usedElsewhere }: Commitment, index: number, places: readonly Left[]) {
  const bought = { vcpus: amount.vcpus * (1 - usedElsewhere), ramGib: amount.ramGib * (1 - usedElsewhere) }
  let { vcpus, ramGib } = bought
  for (const one of places) {
    if (!one.kind.hasWholeCores) continue
    const cores = Math.min(one.cores, vcpus / one.kind.vcpus)
    const memory = Math.min(one.memory, ramGib / one.kind.ramGib)
    take(one, index, cores, memory)
    vcpus -= cores * one.kind.vcpus
    ramGib -= memory * one.kind.ramGib
  }
  const shares = [
    ...(bought.vcpus > 0 ? [shareUsed(vcpus, bought.vcpus)] : []),
    ...(bought.ramGib > 0 ? [shareUsed(ramGib, bought.ramGib)] : []),
  ]
  return shares.length === 0 ? 1 : shares.reduce((sum, share) => sum + share, 0) / shares.length
}

/** The usage with the highest discount comes first; of equal discounts, that with the lowest rate. */
function applyPlan(plan: Commitment, index: number, places: readonly Left[], planRate: PlanRate): number {
  const rated = places.flatMap((one) => {
    const rate = planRate(plan, one.kind)
    const onDemand = one.kind.coresUsd + one.kind.memoryUsd
    return rate === undefined || onDemand <= 0 ? [] : [{ one, rate, ratio: Math.min(1, rate / onDemand) }]
  })
  const bought = plan.amount.perHourUsd * (1 - plan.usedElsewhere)
  let dollars = bought
  for (const { one, ratio } of rated.sort((a, b) => a.ratio - b.ratio || a.rate - b.rate)) {
    const remaining = leftUsd(one) * ratio
    const share = remaining <= dollars ? 1 : dollars / remaining
    take(one, index, one.cores * share, one.memory * share)
    dollars -= remaining * share
  }
  return shareUsed(dollars, bought)
}

function take(one: Left, index: number, cores: number, memory: number): void {
  const usd = cores * one.kind.coresUsd + memory * one.kind.memoryUsd
  if (!(cores > smallestShare || memory > smallestShare)) return
  one.cores -= cores
  one.memory -= memory
  one.coveredUsd.set(index, (one.coveredUsd.get(index) ?? 0) + usd)
}

/** Less than this share of a machine is what computing with fractions leaves over. */
const smallestShare = 1e-9

const isLeft = ({ cores, memory }: Left): boolean => cores > smallestShare || memory > smallestShare

const leftUsd = ({ kind, cores, memory }: Left): number => cores * kind.coresUsd + memory * kind.memoryUsd

const shareUsed = (left: number, bought: number): number => (bought > 0 ? 1 - Math.max(0, left) / bought : 1)

const coveredBy = (left: readonly Left[], index: number): number =>
  left.reduce((sum, { coveredUsd }) => sum + (coveredUsd.get(index) ?? 0), 0)
