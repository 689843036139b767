import { defaultOrganisation, keyPattern, scopes } from '../../domain/key.ts'
import type { KeyDeps } from './deps.ts'
import { prepareKey } from './issue-key.ts'

/**
 * Makes the very first key, with every scope, on whichever node comes first.
 * Answers it if it was made here and now; a bootstrap key is known to the operator and is not answered.
 */
export async function bootstrapKey(deps: KeyDeps, given: string): Promise<string | undefined> {
  const match = keyPattern.exec(given)
  const issued = prepareKey(
    deps.now(),
    { organisation: defaultOrganisation, name: 'first key', scopes },
    match === null ? undefined : { id: match[1]!, secret: match[2]! },
  )
  const made = await deps.store.keys.insertFirst(issued.record)
  if (made) deps.onChange(issued.record)
  return made && match === null ? issued.key : undefined
}
