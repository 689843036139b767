import {
  type BilledDisk,
  type BillLine,
  type BillLineClass,
  billLineClasses,
} from '../../domain/bill-line.ts'
import type { ExchangeRate } from '../../domain/manifest.ts'

export interface BilledKind
  extends Pick<BillLine, 'provider' | 'region' | 'instanceType' | 'operatingSystem'> {
  hours: number
  cost: number
}

export interface BilledDiskTotal extends Pick<BilledDisk, 'name' | 'unit'> {
  readonly provider: string
  readonly region: string
  quantity: number
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

/** Refuses bills in currencies that have no rate. */
export function currencyFault({ currencies, exchange }: BillSums): string | undefined {
  const known = exchange?.to === 'USD' ? ['USD', exchange.from] : ['USD']
  const foreign = [...currencies].filter((currency) => !known.includes(currency))
  if (foreign.length === 0) return undefined
  return `is in ${foreign.join(', ')}; only bills in ${known.join(' or ')} can be compared`
}

/** Sums the lines of a bill; what it holds grows with the kinds of machine, not with the lines. */
export class BillTotals {
  readonly kinds = new Map<string, BilledKind>()
  readonly disks = new Map<string, BilledDiskTotal>()
  readonly commitments = new Map<string, BilledCommitmentTotal>()
  readonly classes = new Map<BillLineClass, { lines: number; cost: number }>(
    billLineClasses.map((name) => [name, { lines: 0, cost: 0 }]),
  )
  readonly currencies = new Set<string>()
  lines = 0
  firstHour = ''
  lastHour = ''

  /** The rate at which lines in another currency than US dollars are converted. */
  readonly exchange: ExchangeRate | null

  constructor(exchange: ExchangeRate | null = null) {
    this.exchange = exchange
  }

  add(billed: BillLine): void {
    const isForeign = this.exchange?.to === 'USD' && billed.currency === this.exchange.from
    const line = isForeign ? { ...billed, cost: billed.cost * this.exchange.rate } : billed
    this.lines += 1
    const sum = this.classes.get(line.class)!
    sum.lines += 1
    sum.cost += line.cost
    if (line.currency !== '' && this.currencies.size < 10) this.currencies.add(line.currency)
    if (line.hour !== '' && (this.firstHour === '' || line.hour < this.firstHour)) this.firstHour = line.hour
    if (line.hour > this.lastHour) this.lastHour = line.hour
    if (line.instanceType !== '' && (line.class === 'on_demand' || line.class === 'discount'))
      this.#addKind(line)
    if (line.disk !== undefined) this.#addDisk(line, line.disk)
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

  #addDisk({ provider, region, cost }: BillLine, { name, unit, quantity }: BilledDisk): void {
    const key = `${provider}\n${region}\n${name}\n${unit}`
    if (!this.disks.has(key) && this.disks.size >= maxKinds) return
    const total = this.disks.getOrInsertComputed(key, () => ({
      ...{ provider, region, name, unit, quantity: 0, cost: 0 },
    }))
    total.quantity += quantity
    total.cost += cost
  }

  #addCommitment(line: BillLine, { id, isPlan, isOfFamily, until }: NonNullable<BillLine['commitment']>) {
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
