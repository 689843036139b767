import { plural } from '../../domain/text.ts'
import { coresText, gibText, resourceNames, sizeText } from '../adjustments/band.ts'
import type { Resource } from '../input.ts'
import type { Railed } from './rail.ts'

/** The sentence of a guard rail that acted. */
export function railText(resource: Resource, { size, code, figures }: Railed): string {
  const text = (value: number) => sizeText(resource, value)
  const used = resource === 'cpu' ? coresText : gibText
  const { peak = 0, wanted = 0, largest = 0, hours = 0, floor = 0 } = figures
  const harm = resource === 'cpu' ? 'throttled' : 'killed'
  const says: Readonly<Record<string, string>> = {
    floor: `${text(size)}, because less than ${text(floor)} is not recommended, but what is in force is not raised to that: the peak is ${used(peak)}.`,
    'first day': `stays at ${text(size)}: ${Math.floor(hours)} hours of history are less than a day.`,
    'first week': `cut to ${text(size)} for now, half of the way from ${text(largest)}: ${plural(Math.max(1, Math.floor(hours / 24)), 'day')} of history ${hours < 48 ? 'is' : 'are'} less than a week.`,
    raise: `${text(size)} instead of ${text(wanted)}: the peak is ${used(peak)}, and there was no kill, throttling or trend that asks for more.`,
    'limit raise': `the limit stays at ${text(size)}: there was no kill, throttling or trend that asks for more.`,
    'equal limit': `the limit equals the request, and the container is ${harm} above it, so both are at least ${text(size)}: the peak is ${used(peak)}.`,
    limit: `the limit is at least ${text(size)}: the peak is ${used(peak)}, and a limit is not lowered below that plus 15%.`,
  }
  return `${resourceNames[resource]}: ${says[code]!}`
}
