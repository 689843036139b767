import { parseDocument, UnreadableDocument } from '../../src/pricing/terraform/review/parse-document.ts'
import type { PlanFile } from './queries.ts'

const maxBytes = 4 * 2 ** 20

/** Returns the plan in a file, or a text that explains why there is none. */
export async function readPlan(
  file: Pick<File, 'name' | 'size' | 'arrayBuffer'>,
): Promise<PlanFile | string> {
  if (file.size > maxBytes)
    return `${file.name} is larger than 4 MiB. Review it with the command: cheapside review ${file.name}`
  try {
    const document = parseDocument(new Uint8Array(await file.arrayBuffer()))
    if (typeof document !== 'object' || document === null || Array.isArray(document))
      return `${file.name} is not a plan; create it with terraform show -json plan.out`
    return { name: file.name, plan: document as Record<string, unknown> }
  } catch (error) {
    if (error instanceof UnreadableDocument) return `${file.name} cannot be read: ${error.message}.`
    throw error
  }
}
