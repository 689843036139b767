import { entityTagOf, type Precondition } from '../domain/entity-tag.ts'
import type { SettingsStore } from './port.ts'

/** The entity tag of a stored setting, also of one that was never set. */
export const settingTag = (text: string | undefined): string => entityTagOf(text ?? '')

/**
 * Writes a setting if a caller expects the stored one, so that no update is lost. Throws what `conflict` returns for the
 * stored one otherwise. Without a precondition it is always written.
 */
export async function writeExpected(
  settings: SettingsStore,
  { organisation, name, text }: { organisation: string; name: string; text: string | undefined },
  isExpected: Precondition | undefined,
  conflict: (stored: string | undefined) => Error,
): Promise<void> {
  if (isExpected === undefined) return settings.write(organisation, name, text)
  let before: string | undefined
  do {
    before = await settings.read(organisation, name)
    if (!isExpected(settingTag(before))) throw conflict(before)
  } while (!(await settings.replace(organisation, name, before, text)))
}
