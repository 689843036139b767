import { changePhrase } from '../../src/domain/machine-description.ts'
import type { ComparisonAnswer, Effort, Offer } from './candidates.ts'

export const effortNames: Record<Effort, string> = {
  resize: 'Another size',
  region: 'Another region',
  provider: 'Another provider',
  commit: 'Commitment',
  spot: 'Spot',
  anywhere: 'Anywhere',
}

/** Changes that have their own column. */
const shownElsewhere = new Set(['provider', 'region', 'payment', 'term', 'unknown-speed'])

/** Returns what changes for the user of the machine. */
export const changesText = ({ machine }: Pick<Offer, 'machine'>): string[] =>
  (machine.changes ?? []).filter((change) => !shownElsewhere.has(change)).map(changePhrase)

export const leftOutWords: Record<ComparisonAnswer['left_out'][number]['reason'], string> = {
  'other-accelerator': 'with a different accelerator',
  'other-kind': 'of a different kind (bare metal, storage, confidential, ...)',
  'ended-or-ending': 'retired or with an end date',
  undocumented: 'not documented by the provider',
  'not-sold-there': 'not sold in that region',
  'too-little-local-disk': 'with too little local disk',
  'other-architecture': 'of another architecture',
  'too-slow': 'with cores that are too slow',
  'cannot-sustain': 'burstable with a baseline below the usage',
  'other-payment': 'with another payment option',
  'too-far': 'on another continent or in another jurisdiction',
  'local-zone': 'in local zones',
}

/** Formats a speed ratio, such as 1.08×. */
export const speedText = ({ machine }: Pick<Offer, 'machine'>): string =>
  machine.performance ? `${machine.performance.ratio.toFixed(2)}×` : 'not known'

/** The speed of all cores together, 1 is the current machine; null if it is not known. */
export const speedOfAll = (
  { machine, vm }: Pick<Offer, 'machine' | 'vm'>,
  currentCores = 1,
): number | null =>
  !machine.performance || vm === null ? null : (machine.performance.ratio * vm.cpu_cores) / currentCores

export const sourceNames = {
  list: 'list price',
  rule: 'list price with your rules',
  own: 'your own price',
  metric: 'price reported by OpenCost',
  base: 'base rates, an estimate',
} as const
