import type { HostCosts, UnitPrice } from '../../agent/host-costs.ts'
import type { HostScan } from '../../agent/scan-once.ts'
import { dollars } from '../../domain/money.ts'
import { plural } from '../../domain/text.ts'
import { printable } from './figures.ts'
import { renderTable } from './table.ts'

const header = ['PROCESS', 'COUNT', 'GROUP', 'CORES', 'GIB', 'A MONTH', 'IDLE COSTS', 'CGROUP']
const figures = [1, 3, 4, 5, 6]
const shownByDefault = 20

export function renderHost(scan: HostScan, costs: HostCosts, price: UnitPrice, all = false): string {
  const shown = all ? costs.processes : costs.processes.slice(0, shownByDefault)
  const rest = costs.processes.slice(shown.length)
  const rows = shown.map((use) => [
    use.process,
    use.count === 0 ? '' : String(use.count),
    use.group,
    use.cores.toFixed(3),
    gib(use.memoryBytes),
    dollars(use.perMonthUsd),
    use.idlePerMonthUsd >= 0.005 ? dollars(use.idlePerMonthUsd) : '',
    shortened(use.cgroup),
  ])
  if (rest.length > 0)
    rows.push([
      `(${rest.length} more; --all shows them)`,
      String(sum(rest, 'count')),
      '',
      sum(rest, 'cores').toFixed(3),
      gib(sum(rest, 'memoryBytes')),
      dollars(sum(rest, 'perMonthUsd')),
      dollars(sum(rest, 'idlePerMonthUsd')),
      '',
    ])
  return [
    sentence(scan, costs, price),
    '',
    renderTable([header, ...rows], figures),
    '',
    wasteLine(scan, costs),
    ...scan.measurementGaps.map((gap) => `Not measured: ${gap}.`),
  ].join('\n')
}

function sentence(scan: HostScan, costs: HostCosts, price: UnitPrice): string {
  const { provider, instanceType, region } = scan.facts
  const what = [instanceType, provider && `of ${provider}`, region && `in ${region}`]
    .filter(Boolean)
    .join(' ')
  const size = `${plural(scan.cores, 'core')}, ${gib(scan.memoryBytes)} GiB`
  return `${printable(scan.vm)}${what === '' ? '' : ` (${printable(what)})`}: ${size}, ${dollars(costs.perMonthUsd)} a month at ${price.source}. Measured for ${scan.seconds.toFixed(0)} s.`
}

function wasteLine(scan: HostScan, costs: HostCosts): string {
  const usedCores = Math.min(scan.cores, sum(scan.processes, 'cores'))
  const share = costs.perMonthUsd === 0 ? 0 : Math.round((100 * costs.unusedPerMonthUsd) / costs.perMonthUsd)
  return [
    `Waste: ${dollars(costs.unusedPerMonthUsd)} a month (${share}%) pays for unused capacity:`,
    `${(scan.cores - usedCores).toFixed(2)} of ${scan.cores} cores, ${gib(scan.availableMemoryBytes)} of ${gib(scan.memoryBytes)} GiB;`,
    `${dollars(costs.idlePerMonthUsd)} for memory of idle processes.`,
  ].join(' ')
}

const gib = (bytes: number): string => (bytes / 2 ** 30).toFixed(2)

function sum<Name extends string>(items: readonly Record<Name, number>[], name: Name): number {
  return items.reduce((total, item) => total + item[name], 0)
}

/** The end of a path is more specific than its start. */
const shortened = (path: string): string => (path.length <= 60 ? path : `\u2026${path.slice(-59)}`)
