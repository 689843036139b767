import { dollars, round } from '../../domain/money.ts'
import {
  type ChangePart,
  type ChangeParts,
  type ContainerCosts,
  changeParts,
  chargedSum,
  noParts,
} from '../allocation/change-parts.ts'
import type { CostChangeView } from './schema.ts'

export interface Cause {
  readonly cluster?: string
  readonly container?: ContainerCosts
  readonly was?: ContainerCosts | undefined
  readonly is?: ContainerCosts | undefined
  readonly parts: ChangeParts
}

const maxCauses = 5

/** The largest causes as sentences. A cause of less than a cent is none. Nothing is new in a cluster of which measuring began. */
export function causesOf(
  causes: readonly Cause[],
  hours: number,
  began: ReadonlySet<string>,
): CostChangeView['causes'] {
  const { compared = [], others = [] } = Object.groupBy(causes, (cause) =>
    began.has(clusterOf(cause)) ? 'others' : 'compared',
  )
  const measured = [...Map.groupBy(others, clusterOf)].map(([cluster, all]): Cause => {
    const usd = all.flatMap(({ parts }) => Object.values(parts)).reduce((sum, each) => sum + each, 0)
    return { cluster, parts: { ...noParts(), new: usd } }
  })
  return [...compared, ...measured]
    .flatMap((cause) => changeParts.map((part) => ({ cause, part, usd: round(cause.parts[part], 2) })))
    .filter(({ usd }) => usd !== 0)
    .sort((a, b) => Math.abs(b.usd) - Math.abs(a.usd))
    .slice(0, maxCauses)
    .map(({ cause, part, usd }) => ({
      usd,
      part,
      text: `${part === 'hours' ? hoursSentence(cause, usd) : sentence(cause, part, hours)}: ${signed(usd)}.`,
    }))
}

const clusterOf = ({ cluster, container }: Cause): string => cluster ?? container!.cluster
const signed = (usd: number): string => (usd > 0 ? `+${dollars(usd)}` : dollars(usd))
const figure = (value: number): string => String(Number(value.toPrecision(3)))

const hoursSentence = ({ cluster }: Cause, usd: number): string =>
  `${usd > 0 ? 'More' : 'Fewer'} hours of ${cluster === '' ? 'machines' : `the cluster ${cluster}`} than before`

function sentence(
  { cluster, container, was, is }: Cause,
  part: Exclude<ChangePart, 'hours'>,
  hours: number,
): string {
  if (container === undefined && part === 'new')
    return `The cluster ${cluster} was measured for less than half as long before`
  if (container === undefined)
    return cluster === '' ? 'Idle cost of machines' : `Idle cost of the cluster ${cluster}`
  const place = container.namespace === '' ? '' : ` in ${container.namespace}`
  const name = `${container.container === '' ? '' : `${container.container} of `}${container.workload}${place}`
  const pods = (of: ContainerCosts | undefined): string => {
    const count = figure((of?.hours ?? 0) / hours)
    return count === '1' ? '1 pod' : `${count} pods`
  }
  const perPod = (of: ContainerCosts | undefined): string => {
    const perHour = (resource: 'cpu' | 'memory') => {
      const ran = of?.hours ?? 0
      return figure(ran === 0 ? 0 : chargedSum(of!.charged[resource]).units / ran)
    }
    return `${perHour('cpu')} cores and ${perHour('memory')} GiB`
  }
  const texts: Readonly<Record<typeof part, string>> = {
    new: `${name} is new, with ${pods(is)} on average`,
    gone: `${name} no longer runs; before it had ${pods(was)} on average`,
    count: `${name} ran for ${figure(is?.hours ?? 0)} pod hours, before ${figure(was?.hours ?? 0)} in the same time`,
    size: `A pod of ${name} was charged with ${perPod(is)}, before ${perPod(was)}`,
    mix: `${name} ran on nodes of other types`,
    price: `The prices of the nodes of ${name} changed`,
    idle: '',
    shared: '',
  }
  return texts[part]
}
