import type { OperatingSystem } from '../../domain/offer.ts'
import type { FlexibleSize } from '../../domain/provider.ts'

export const commitmentKinds = ['reserved_instance', 'savings_plan', 'committed_use'] as const
export type CommitmentKind = (typeof commitmentKinds)[number]

/** What an organisation has bought in advance. Names are in lower case; undefined means everywhere or everything. */
export interface Commitment {
  readonly name: string
  readonly provider: string
  readonly kind: CommitmentKind
  readonly region: string | undefined
  readonly zone: string | undefined
  readonly instanceType: string | undefined
  /** The family of a savings plan for one family, or the machine series of committed use. */
  readonly family: string | undefined
  readonly operatingSystem: OperatingSystem | undefined
  /** Undefined unless a reservation also covers other sizes. */
  readonly flexible: FlexibleSize | undefined
  readonly amount: CommittedAmount
  /** What a savings plan takes off on-demand prices, if its rates are not those of the price list. */
  readonly percentOff: number | undefined
  /** What all of it costs an hour, if it is stated. */
  readonly perHourUsd: number | undefined
  /** The share that accounts use which are not connected here, 0 to 1. */
  readonly usedElsewhere: number
  readonly term: '1y' | '3y'
  /** First and last day, YYYY-MM-DD. */
  readonly from: string
  readonly until: string
}

/** The members that the kind does not have are zero. */
export interface CommittedAmount {
  readonly instances: number
  /** At the rates of the plan. */
  readonly perHourUsd: number
  readonly vcpus: number
  readonly ramGib: number
}

export const isActiveOn = ({ from, until }: Commitment, day: string): boolean => from <= day && day <= until

export const lastDayOf = (commitments: readonly Commitment[]): string =>
  commitments.reduce((latest, { until }) => (until > latest ? until : latest), '')

/** Machines of one type at one place that run on demand in an hour. */
export interface RunningKind {
  readonly provider: string
  readonly region: string
  readonly zone: string
  readonly instanceType: string
  readonly family: string
  readonly operatingSystem: OperatingSystem
  readonly vcpus: number
  readonly ramGib: number
  /** Undefined if reservations cover this size only. */
  readonly flexible: FlexibleSize | undefined
  /** Whether committed use of cores and GiB covers it: not if it has shared cores. */
  readonly hasWholeCores: boolean
  /** What the cores and the memory of one machine cost on demand, without what no commitment covers. */
  readonly coresUsd: number
  readonly memoryUsd: number
  /** Licences, which stay on demand. */
  readonly uncoverableUsd: number
  /** The number that ran, in hours. */
  readonly quantity: number
}

/** The rate of a savings plan for one machine; undefined if it does not apply or is not known. */
export type PlanRate = (plan: Commitment, kind: RunningKind) => number | undefined
