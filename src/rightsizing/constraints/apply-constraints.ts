import type { DraftBand } from '../adjustments/band.ts'
import type { Resource } from '../input.ts'
import { amountText, coresText, gibText, resourceNames } from '../phrases.ts'
import { boundsOf, type SizeConstraints } from './sizing-rules.ts'

interface Drafts {
  readonly cpu: DraftBand | null
  readonly memory: DraftBand | null
}

/** Bounds first, then the ratio, which never makes anything smaller than usage asks for; a maximum has the last word. */
export function applyConstraints(drafts: Drafts, constraints: SizeConstraints): void {
  for (const resource of ['cpu', 'memory'] as const) {
    const draft = drafts[resource]
    if (draft !== null) keepMinimum(draft, resource, boundsOf(constraints, resource).least)
  }
  if (drafts.cpu !== null && drafts.memory !== null) keepRatio(drafts.cpu, drafts.memory, constraints)
  for (const resource of ['cpu', 'memory'] as const) {
    const draft = drafts[resource]
    if (draft !== null) keepMaximum(draft, resource, boundsOf(constraints, resource).most)
  }
}

/** A request as it is that a rule does not allow must change, however little it is worth. */
export function isOutside(
  constraints: SizeConstraints,
  resource: Resource,
  request: number | undefined,
): boolean {
  const { least, most } = boundsOf(constraints, resource)
  return request !== undefined && (request < least || request > most)
}

function keepMinimum(draft: DraftBand, resource: Resource, least: number): void {
  if (!(draft.target < least)) return
  draft.raise(least)
  draft.tell(
    `min_${resource}`,
    `${resourceNames[resource]}: at least ${amountText(resource, least)} as a rule demands (min_${resource}).`,
  )
}

function keepMaximum(draft: DraftBand, resource: Resource, most: number): void {
  if (!(draft.target > most)) return
  const asked = amountText(resource, draft.target)
  draft.lowerTo(most)
  draft.upper = Math.min(draft.upper, most)
  draft.tell(
    `max_${resource}`,
    `${resourceNames[resource]}: at most ${amountText(resource, most)} as a rule demands (max_${resource}), less than the ${asked} that usage asks for.`,
  )
}

function keepRatio(cpu: DraftBand, memory: DraftBand, { cpuMemoryRatio }: SizeConstraints): void {
  if (cpuMemoryRatio === undefined) return
  const { least, most } = cpuMemoryRatio
  if (memory.target < least * cpu.target) {
    memory.raise(least * cpu.target)
    memory.tell(
      'cpu_memory_ratio',
      `Memory: at least ${gibText(least)} for each core as a rule demands (cpu_memory_ratio).`,
    )
  } else if (memory.target > most * cpu.target) {
    cpu.raise(memory.target / most)
    cpu.tell(
      'cpu_memory_ratio',
      `CPU: at most ${gibText(most)} of memory for each core as a rule demands (cpu_memory_ratio), so ${coresText(cpu.target)}.`,
    )
  }
}
