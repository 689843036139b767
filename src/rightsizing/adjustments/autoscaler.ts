import type { Resource } from '../input.ts'
import { percentText, resourceNames } from '../phrases.ts'
import type { DraftBand } from './draft.ts'

/**
 * An autoscaler that keeps usage at a share of the request adds replicas when the request falls below usage / share, and takes
 * them away when it rises, which makes those left busier and the next answer larger. So the request may only fall, and
 * only as far as there is room. Usage 0.1, share 0.5, request 1 -> not below 0.2.
 */
export function keepUtilisation(
  draft: DraftBand,
  resource: Resource,
  usage: number,
  share: number | undefined,
  current: number | undefined,
): void {
  if (share === undefined || !(share > 0)) return
  const before = draft.target
  const needed = usage / share
  draft.raise(Math.min(needed, current ?? needed))
  if (current !== undefined) draft.lowerTo(current)
  if (draft.target === before) return
  const what = draft.target === current ? 'left as it is' : 'kept high enough'
  const why = draft.target < before ? 'more would take replicas away' : 'less would add replicas'
  draft.tell(
    'autoscaler',
    `${resourceNames[resource]}: an autoscaler holds usage at ${percentText(share)} of the request, so the request is ${what}: ${why}.`,
  )
}
