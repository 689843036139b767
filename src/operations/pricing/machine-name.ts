import type { DescribedMachine } from '../../domain/described-machine.ts'

/** Which machine is meant, in the contract's members; the first of every answer about one. */
export interface MachineName {
  readonly provider: string
  readonly region: string
  readonly availability_zone: string
  readonly instance_type: string
  readonly operating_system: string
  readonly usage_type: string
}

/** `provider` is a key in a question, and a name for people in an answer. */
export const machineName = (provider: string, machine: Omit<DescribedMachine, 'provider'>): MachineName => ({
  provider,
  region: machine.region,
  availability_zone: machine.zone,
  instance_type: machine.instanceType,
  operating_system: machine.operatingSystem,
  usage_type: machine.usageType,
})

/** The same machine's name alone. */
export const nameOf = (offer: MachineName): MachineName => ({
  provider: offer.provider,
  region: offer.region,
  availability_zone: offer.availability_zone,
  instance_type: offer.instance_type,
  operating_system: offer.operating_system,
  usage_type: offer.usage_type,
})
