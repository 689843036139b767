import { entityTagOf, type Precondition } from '../domain/cursor.ts'
import type { SettingsStore } from './port.ts'

/** The entity tag of a stored setting, also of one that was never set. */
export const settingTag = (text: string | undefined): string => entityTagOf(text ?? '')

/** Throws what `conflict` returns if another value is stored, so that no update is lost; always writes without a precondition. */
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
