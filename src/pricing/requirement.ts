import { round } from '../domain/money.ts'

export interface Size {
  readonly vcpus: number
  readonly ramGib: number
}

export interface TargetUtilisation {
  readonly cpu: number
  readonly ram: number
}

/** A fifth of the machine stays free for peaks that the usage figure does not show. */
export const defaultTarget: TargetUtilisation = { cpu: 0.8, ram: 0.8 }

/** What a candidate must hold so that the usage fills it to the target at most. */
export function requirement(usage: Size, vm: Size, target: TargetUtilisation = defaultTarget): Size {
  return {
    vcpus: required(usage.vcpus, vm.vcpus, target.cpu),
    ramGib: required(usage.ramGib, vm.ramGib, target.ram),
  }
}

/** 1.5 used of 4 at 0.8 -> 1.875; 3.6 of 4 -> 4, not 4.5; 5 of 4 -> 6.25, as the machine is too small already. */
function required(used: number, size: number, target: number): number {
  const wanted = round(used / target, 9)
  return used <= size ? Math.min(wanted, size) : wanted
}
