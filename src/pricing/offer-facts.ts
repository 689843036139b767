import { describeMachine } from '../catalogue/facts/describe-machine.ts'
import type { MachineDescription } from '../catalogue/facts/schema.ts'
import { shippedFacts } from '../catalogue/shipped-facts.ts'
import { baseRates, round } from '../domain/money.ts'
import type { Offer } from '../domain/offer.ts'
import { baseProvider } from '../providers/providers.ts'
import { type OfferFacts, rawPricingData } from './answer/answer.ts'
import type { NotesOnOffer } from './commitments/commitment-notes.ts'
import { assumedRate, ratesOfOffer } from './current-offer.ts'
import { familyRatesIn } from './find-current.ts'
import type { Market, PricingDeps } from './market.ts'
import { marketplaceSource } from './own-prices/own-prices.ts'
import { priceSourceOf } from './price-source.ts'
import { type DescribedUsage, isBeyondSize, type Resources } from './request/request.ts'

export function offerFactsFor(
  deps: PricingDeps,
  { catalogue, own }: Market,
  withMetadata: boolean,
  current?: Offer,
  request?: DescribedUsage,
  moreNotes: NotesOnOffer = () => [],
): OfferFacts {
  const names = new Map(deps.providers.map(({ key, displayName }) => [key, displayName]))
  const isOwn = (offer: { source: string }): boolean => offer.source === marketplaceSource
  const facts: OfferFacts = {
    displayName: (offer) => (isOwn(offer) ? offer.provider : (names.get(offer.provider) ?? offer.provider)),
    ratesOf: (offer) =>
      offer.provider === baseProvider.key ? baseRates : ratesOfOffer(offer, familyRatesIn(catalogue, offer)),
  }
  if (!withMetadata) return facts
  return {
    ...facts,
    rawOf: (offer) => {
      const isCurrent = offer === current
      const machine = describeMachine(shippedFacts(), offer, isCurrent ? undefined : current)
      const raw = rawPricingData(
        offer,
        machine,
        priceSourceOf(offer),
        isOwn(offer) ? JSON.parse(own.rawOf(offer)) : undefined,
      )
      return isCurrent && request
        ? { ...raw, notes: [...notesOn(offer, machine, request), ...moreNotes(offer)] }
        : raw
    },
  }
}

/** Returns what somebody who runs the current machine has to know before acting on a comparison. */
export function notesOn(
  current: Offer,
  { generation, ends_on: endsOn }: Pick<MachineDescription, 'generation' | 'ends_on'>,
  request: DescribedUsage,
): string[] {
  const { usage, vm } = request
  return [
    ...endingText('This type', generation, endsOn),
    ...assumedText('This custom type', current.source),
    ...(isBeyondSize(request)
      ? [
          `The usage of ${sizeText(usage)} exceeds the size of ${sizeText(vm)}: check both figures. ` +
            'Only machines that are large enough for this usage are compared, and all of them may cost more.',
        ]
      : []),
    ...otherSizeText(current, vm),
    ...overBaselineText(current, usage),
    ...(current.usageType === 'RESERVED' ? [reservedText] : []),
    ...(current.provider === baseProvider.key
      ? ['No price list has this machine: it is priced at base rates, which are an estimate.']
      : []),
  ]
}

/** A size counts as another one if it differs by a tenth: providers mean 10^9 or 2^30 bytes by a gigabyte. */
function otherSizeText({ vcpus, ramGib }: Offer, vm: Resources): string[] {
  if (vcpus === null || ramGib === null) return []
  const differs = (given: number, listed: number): boolean => Math.abs(given - listed) > listed / 10
  if (!differs(vm.cpu_cores, vcpus) && !differs(vm.ram_gb, ramGib)) return []
  return [
    `The given size of ${sizeText(vm)} differs from that of this type, ${sizeText({ cpu_cores: vcpus, ram_gb: ramGib })}: the given one is used.`,
  ]
}

/** A burstable machine that uses more than its baseline all the time is throttled, or pays for the rest. */
function overBaselineText({ vcpus, burstableBaseline }: Offer, usage: Resources): string[] {
  if (burstableBaseline === null || vcpus === null) return []
  const sustained = vcpus * burstableBaseline
  if (!(usage.cpu_cores > sustained * 1.001)) return []
  return [
    `The usage of ${usage.cpu_cores} cores exceeds the ${round(sustained, 3)} cores that this burstable machine sustains: ` +
      'it is throttled, or costs more than its price if the provider charges for surplus credits.',
  ]
}

/**
 * Returns notes on any offer, in sentences that name its type: whether it ends or has ended, and
 * whether its price is assumed.
 */
export function offerNotes({
  provider,
  instanceType,
  siblingType = instanceType,
  source,
  usageType,
}: Offer): string[] {
  const { generation, endsOn } = shippedFacts().machines.generation(provider, siblingType)
  return [
    ...endingText(`The type ${instanceType}`, generation, endsOn),
    ...assumedText(`The custom type ${instanceType}`, source),
    ...(usageType === 'RESERVED' ? [reservedText] : []),
  ]
}

const reservedText = 'This machine is reserved: replacing it saves nothing before the commitment ends.'

const assumedText = (type: string, source: string): string[] =>
  source.endsWith(assumedRate)
    ? [`${type} is priced at the rates of the listed types of its family plus 5%, which is an estimate.`]
    : []

function endingText(type: string, generation: string, endsOn: string | null): string[] {
  if (generation === 'retired') return [endsOn ? `${type} was retired on ${endsOn}.` : `${type} is retired.`]
  return generation === 'retiring' ? [`${type} has the end date ${endsOn}.`] : []
}

const sizeText = ({ cpu_cores, ram_gb }: Resources): string => `${cpu_cores} cores and ${ram_gb} GiB`
