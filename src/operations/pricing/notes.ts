import { shippedKnowledge } from '../../catalogue/load-machine-facts.ts'
import type { MachineDescription } from '../../domain/machine-description.ts'
import type { Offer } from '../../domain/offer.ts'
import { baseProvider } from '../../importers/base.ts'
import { assumedRate } from '../../pricing/current-offer.ts'
import type { RecommendationRequest, Resources } from './request.ts'

type Described = Pick<RecommendationRequest, 'vm' | 'usage'>

/** What somebody who runs the current machine has to know before acting on a comparison. */
export function notesOn(
  current: Offer,
  { generation, ends_on: endsOn }: Pick<MachineDescription, 'generation' | 'ends_on'>,
  request: Described,
): string[] {
  const { usage, vm } = request
  return [
    ...endingText('This type', generation, endsOn),
    ...assumedText('This custom type', current.source),
    ...(isBeyondSize(request)
      ? [
          `The usage of ${sizeText(usage)} is beyond the size of ${sizeText(vm)}: check both figures. ` +
            'Only machines that hold this usage are compared, and they may all cost more.',
        ]
      : []),
    ...(current.usageType === 'RESERVED'
      ? ['A commitment that is already paid for saves nothing by leaving it before its end.']
      : []),
    ...(current.provider === baseProvider.key
      ? ['No price list has this machine: base rates are an estimate.']
      : []),
  ]
}

/** The same of any offer, in sentences that name its type: whether it ends or has ended, and whether its price is assumed. */
export function offerNotes({ provider, instanceType, siblingType = instanceType, source }: Offer): string[] {
  const { generation, endsOn } = shippedKnowledge().machines.generation(provider, siblingType)
  return [
    ...endingText(`The type ${instanceType}`, generation, endsOn),
    ...assumedText(`The custom type ${instanceType}`, source),
  ]
}

const assumedText = (type: string, source: string): string[] =>
  source.endsWith(assumedRate)
    ? [`${type} is priced at the rates of the listed types of its family, which is an assumption.`]
    : []

function endingText(type: string, generation: string, endsOn: string | null): string[] {
  if (generation === 'retired') return [`${type} has ended${endsOn ? ` on ${endsOn}` : ''}.`]
  return generation === 'retiring' ? [`${type} ends on ${endsOn}.`] : []
}

/** Whether more is used than the machine has, so that one of the figures is wrong or the machine is too small. */
export function isBeyondSize({ usage, vm }: Described): boolean {
  return usage.cpu_cores > vm.cpu_cores || usage.ram_gb > vm.ram_gb
}

const sizeText = ({ cpu_cores, ram_gb }: Resources): string => `${cpu_cores} cores and ${ram_gb} GiB`
