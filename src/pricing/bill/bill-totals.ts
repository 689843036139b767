import { type BillLine, type BillLineClass, billLineClasses } from '../../domain/bill-line.ts'
import type { OperatingSystem } from '../../domain/offer.ts'

export interface BilledKind {
  readonly provider: string
  readonly region: string
  readonly instanceType: string
  /** Undefined if price lists here do not have the system. */
  readonly operatingSystem: OperatingSystem | undefined
  hours: number
  cost: number
}

export interface BilledCommitmentTotal {
  readonly id: string
  readonly provider: string
  readonly isPlan: boolean
  readonly isOfFamily: boolean
  until: string
  region: string
  firstHour: string
  lastHour: string
  /** With what was not used. */
  cost: number
  readonly hoursByType: Map<string, number>
  unusedCost: number
}

const maxKinds = 50_000
const maxCommitments = 2_000

export type BillSums = Omit<BillTotals, 'add'>

/** Sums the lines of a bill; what it holds grows with the kinds of machine, not with the lines. */
export class BillTotals {
  readonly kinds = new Map<string, BilledKind>()
  readonly commitments = new Map<string, BilledCommitmentTotal>()
  readonly classes = new Map<BillLineClass, { lines: number; cost: number }>(
    billLineClasses.map((name) => [name, { lines: 0, cost: 0 }]),
  )
  readonly currencies = new Set<string>()
  lines = 0
  firstHour = ''
  lastHour = ''

  add(line: BillLine): void {
    this.lines += 1
    const sum = this.classes.get(line.class)!
    sum.lines += 1
    sum.cost += line.cost
    if (line.currency !== '' && this.currencies.size < 10) this.currencies.add(line.currency)
    if (line.hour !== '' && (this.firstHour === '' || line.hour < this.firstHour)) this.firstHour = line.hour
    if (line.hour > this.lastHour) this.lastHour = line.hour
    if (line.instanceType !== '' && (line.class === 'on_demand' || line.class === 'discount'))
      this.#addKind(line)
    if (line.commitment !== undefined) this.#addCommitment(line, line.commitment)
  }

  #addKind({ provider, region, instanceType, operatingSystem, hours, cost }: BillLine): void {
    const key = `${provider}\n${region}\n${instanceType}\n${operatingSystem ?? ''}`
    let kind = this.kinds.get(key)
    if (kind === undefined) {
      if (this.kinds.size >= maxKinds) return
      kind = { provider, region, instanceType, operatingSystem, hours: 0, cost: 0 }
      this.kinds.set(key, kind)
    }
    kind.hours += hours
    kind.cost += cost
  }

  #addCommitment(
    line: BillLine,
    { id, isPlan, isOfFamily, until }: NonNullable<BillLine['commitment']>,
  ): void {
    if (!this.commitments.has(id) && this.commitments.size >= maxCommitments) return
    const { provider, hour } = line
    const total = this.commitments.getOrInsertComputed(id, () => ({
      id,
      provider,
      isPlan,
      isOfFamily,
      until,
      region: line.region,
      firstHour: hour,
      lastHour: hour,
      cost: 0,
      hoursByType: new Map(),
      unusedCost: 0,
    }))
    total.cost += line.cost
    if (line.class === 'unused_commitment') total.unusedCost += line.cost
    total.until ||= until
    total.region ||= line.region
    if (hour < total.firstHour) total.firstHour = hour
    if (hour > total.lastHour) total.lastHour = hour
    if (line.instanceType === '') return
    const before = total.hoursByType.get(line.instanceType) ?? 0
    if (before > 0 || total.hoursByType.size < 200)
      total.hoursByType.set(line.instanceType, before + line.hours)
  }
}
