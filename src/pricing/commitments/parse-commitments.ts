import { parseOperatingSystem } from '../../domain/names.ts'
import type { FieldError } from '../../domain/problem.ts'
import type { FlexibleSize, Provider } from '../../domain/provider.ts'
import { dayMs } from '../../domain/time.ts'
import type { Commitment } from './commitment.ts'
import type { CommitmentInput } from './schema.ts'

interface CommitmentNames {
  findProvider(name: string): Provider | undefined
  flexibleSizeOf(provider: Provider, instanceType: string): FlexibleSize | undefined
}

const required = {
  reserved_instance: [['instance_type'], ['instances']],
  savings_plan: [['usd_per_hour']],
  committed_use: [['family'], ['region'], ['vcpus', 'memory_gib']],
} as const

/** The members that a kind cannot have: they would be ignored, and a plan for one family would be one for all. */
const foreign = {
  reserved_instance: ['family', 'usd_per_hour', 'vcpus', 'memory_gib', 'percent_off'],
  savings_plan: ['instance_type', 'availability_zone', 'instances', 'size_flexible', 'vcpus', 'memory_gib'],
  committed_use: [
    ...['instance_type', 'availability_zone', 'instances', 'size_flexible', 'usd_per_hour', 'percent_off'],
  ],
} as const

/** A term of three years is recognised by its length; what is left of one may be shorter than it was bought for. */
const threeYearsFromDays = 550

/** Parses commitments that have the shape of the schema. Faults are added to `errors`, and their commitments left out. */
export function parseCommitments(
  inputs: readonly CommitmentInput[],
  names: CommitmentNames,
  errors: FieldError[],
): Commitment[] {
  const seen = new Set<string>()
  return inputs.flatMap((input, index) => {
    const before = errors.length
    const wrong = (member: string, message: string): void => {
      errors.push({ pointer: `/commitments/${index}${member}`, message })
    }
    if (seen.has(input.name)) wrong('/name', 'must not be the name of an earlier commitment')
    seen.add(input.name)
    for (const members of required[input.kind])
      if (members.every((member) => input[member] === undefined))
        wrong(
          `/${members[0]}`,
          `is required${members.length > 1 ? `, or ${members[1]}` : ''} for ${input.kind}`,
        )
    for (const member of foreign[input.kind])
      if (input[member as keyof CommitmentInput] !== undefined)
        wrong(`/${member}`, `must not be given for ${input.kind}`)
    for (const member of ['from', 'until'] as const)
      if (!isDay(input[member])) wrong(`/${member}`, 'must be a day such as 2026-12-31')
    if (input.until < input.from) wrong('/until', 'must not be before from')
    const provider = names.findProvider(input.provider)
    if (provider === undefined) wrong('/provider', 'must be a known provider')
    else if (input.kind === 'committed_use' && !provider.commitments?.hasCommittedUse)
      wrong(
        '/kind',
        `must not be committed_use at ${provider.displayName}: state a savings plan or reservation`,
      )
    const system = input.operating_system
    if (system !== undefined && parseOperatingSystem(system) === undefined)
      wrong('/operating_system', 'must be Linux or Windows')
    return errors.length > before || provider === undefined ? [] : [commitmentOf(input, provider, names)]
  })
}

function commitmentOf(
  input: CommitmentInput,
  provider: Provider,
  { flexibleSizeOf }: CommitmentNames,
): Commitment {
  const { kind, instance_type: instanceType, availability_zone: zone } = input
  const operatingSystem =
    input.operating_system === undefined ? undefined : parseOperatingSystem(input.operating_system)
  const systems = provider.commitments?.flexibleSystems ?? []
  const flexible =
    instanceType === undefined ||
    zone !== undefined ||
    input.size_flexible === false ||
    !systems.includes(operatingSystem ?? 'Linux')
      ? undefined
      : flexibleSizeOf(provider, instanceType)
  const days = (Date.parse(input.until) - Date.parse(input.from)) / dayMs
  return {
    name: input.name,
    provider: provider.key,
    kind,
    region: input.region?.toLowerCase(),
    zone: kind === 'reserved_instance' ? zone?.toLowerCase() : undefined,
    instanceType: instanceType?.toLowerCase(),
    family: kind === 'reserved_instance' ? undefined : input.family?.toLowerCase(),
    operatingSystem: operatingSystem ?? (flexible && systems.length === 1 ? systems[0] : undefined),
    flexible,
    amount: {
      instances: input.instances ?? 0,
      perHourUsd: input.usd_per_hour ?? 0,
      vcpus: input.vcpus ?? 0,
      ramGib: input.memory_gib ?? 0,
    },
    percentOff: input.percent_off,
    perHourUsd: kind === 'savings_plan' ? input.usd_per_hour : input.cost_per_hour_usd,
    usedElsewhere: (input.used_elsewhere_percent ?? 0) / 100,
    term: days >= threeYearsFromDays ? '3y' : '1y',
    from: input.from,
    until: input.until,
  }
}

const isDay = (day: string): boolean =>
  !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().slice(0, 10) === day
