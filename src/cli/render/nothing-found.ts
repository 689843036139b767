import { printable } from './figures.ts'

export const noContainers =
  'No container reported usage in this period. Push it from Prometheus to /api/v1/write of `cheapside serve`, or import it: `cheapside collect --from http://prometheus:9090 --cluster NAME`.'

export const noMachines =
  'No machine reported usage in this period. Run `cheapside agent` on a machine to measure it; a running service measures its own host.'

const maxNames = 10

/** Renders: No cluster named prd reported usage in this period. Those that did: prod, test. */
export function nothingNamed(kind: string, name: string, known: readonly string[]): string {
  const names = [...new Set(known)]
  const more = names.length > maxNames ? ', ...' : ''
  const others = names.slice(0, maxNames).map(printable).join(', ')
  return `No ${kind} named ${printable(name)} reported usage in this period.${names.length === 0 ? '' : ` Those that did: ${others}${more}.`}`
}
