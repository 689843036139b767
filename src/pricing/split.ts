import type { Offer } from '../domain/offer.ts'

/** What one core and one GiB cost an hour. */
export interface Rates {
  readonly corePerHourUsd: number
  readonly gibPerHourUsd: number
}

interface MachineSize {
  readonly vcpus: number
  readonly ramGib: number
  readonly gpuCount: number
}

/** If nothing distinguishes them, a core weighs as much as 7.5 GiB and a GPU as much as 224 GiB. */
const coreGib = 7.5
const gpuGib = 224

/** Price lists carry five decimals or more: half of the fifth, and as much again for the fit. */
const roundingUsd = 1e-5

/**
 * Splits a price so that cores x one + GiB x other gives it back; with GPUs, their share is the rest.
 * 0.0625 for 2 cores and 4 GiB: 0.0625 / (2 x 7.5 + 4) -> 0.003289 a GiB and 0.024671 a core.
 */
export function splitPrice(pricePerHourUsd: number, machine: MachineSize, family: Rates | null): Rates {
  if (family !== null && machine.gpuCount === 0) {
    const fitted = machine.vcpus * family.corePerHourUsd + machine.ramGib * family.gibPerHourUsd
    // A rate list rounds each price on its own; the few millionths are shared out, so the sum holds.
    if (fitted > 0 && Math.abs(fitted - pricePerHourUsd) <= roundingUsd)
      return scaled(family, pricePerHourUsd / fitted)
  }
  const weightGib = machine.vcpus * coreGib + machine.ramGib + machine.gpuCount * gpuGib
  const gibPerHourUsd = weightGib > 0 ? pricePerHourUsd / weightGib : 0
  return { corePerHourUsd: gibPerHourUsd * coreGib, gibPerHourUsd }
}

/**
 * The core and GiB rates of one family at one place, system, usage type and term; null where its prices do not
 * determine both: fewer than three types, sizes all in one proportion, a price off the plane, or a rate not above zero.
 */
export function familyRates(offers: readonly Offer[]): Rates | null {
  const points = offers.flatMap(asPoint)
  if (new Set(points.map((p) => p.type)).size < 3) return null
  let cc = 0
  let cg = 0
  let gg = 0
  let cp = 0
  let gp = 0
  for (const { cores, gib, usd } of points) {
    cc += cores * cores
    cg += cores * gib
    gg += gib * gib
    cp += cores * usd
    gp += gib * usd
  }
  const determinant = cc * gg - cg * cg
  if (determinant <= 1e-6 * cc * gg) return null
  const corePerHourUsd = (cp * gg - gp * cg) / determinant
  const gibPerHourUsd = (cc * gp - cg * cp) / determinant
  if (!(corePerHourUsd > 1e-7 && gibPerHourUsd > 1e-7)) return null
  const onPlane = points.every(
    ({ cores, gib, usd }) => Math.abs(cores * corePerHourUsd + gib * gibPerHourUsd - usd) <= roundingUsd,
  )
  return onPlane ? { corePerHourUsd, gibPerHourUsd } : null
}

const scaled = (rates: Rates, by: number): Rates => ({
  corePerHourUsd: rates.corePerHourUsd * by,
  gibPerHourUsd: rates.gibPerHourUsd * by,
})

/** Shared cores and GPUs are priced by other rules than the family's whole cores. */
function asPoint(offer: Offer) {
  const { vcpus, ramGib, gpuCount, burstableBaseline, pricePerHourUsd } = offer
  if (vcpus === null || ramGib === null || gpuCount > 0 || burstableBaseline !== null) return []
  return [{ type: offer.instanceType, cores: vcpus, gib: ramGib, usd: pricePerHourUsd }]
}
