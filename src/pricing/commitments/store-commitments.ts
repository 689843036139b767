import { flexibleSizeOf } from '../../catalogue/shipped-facts.ts'
import type { Precondition } from '../../domain/cursor.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { findProvider } from '../../providers/providers.ts'
import { settingTag, writeExpected } from '../../store/expected-setting.ts'
import type { SettingsStore } from '../../store/port.ts'
import type { Commitment } from './commitment.ts'
import { parseCommitments } from './parse-commitments.ts'
import type { CommitmentInput, CommitmentsView } from './schema.ts'

const settingName = 'commitments'

export const readCommitments = async (settings: SettingsStore, organisation: string): Promise<Commitment[]> =>
  parseCommitments(
    inputsIn(await settings.read(organisation, settingName)),
    { findProvider, flexibleSizeOf },
    [],
  )

export const showCommitments = async (
  settings: SettingsStore,
  organisation: string,
): Promise<CommitmentsView> => viewCommitments(await settings.read(organisation, settingName))

export function checkCommitments(inputs: readonly CommitmentInput[]): Commitment[] {
  const errors: FieldError[] = []
  const parsed = parseCommitments(inputs, { findProvider, flexibleSizeOf }, errors)
  if (errors.length > 0) throw new Problem('invalid', 'The commitments cannot be set.', { errors })
  return parsed
}

/** Replaces all commitments, or none if one is wrong or if `isExpected` does not hold for the current ones. */
export async function writeCommitments(
  settings: SettingsStore,
  organisation: string,
  inputs: readonly CommitmentInput[],
  isExpected?: Precondition,
): Promise<CommitmentsView> {
  checkCommitments(inputs)
  const text = inputs.length === 0 ? undefined : JSON.stringify(inputs)
  await writeExpected(settings, { organisation, name: settingName, text }, isExpected, lostUpdate)
  return viewCommitments(text)
}

const lostUpdate = (stored: string | undefined): Problem =>
  new Problem(
    'precondition-failed',
    'The commitments were changed meanwhile, and nothing was saved. Check the current ones, then try again.',
    { extra: { current: viewCommitments(stored) } },
  )

const viewCommitments = (text: string | undefined): CommitmentsView => ({
  commitments: inputsIn(text),
  etag: settingTag(text),
})

const inputsIn = (text: string | undefined): CommitmentInput[] => (text === undefined ? [] : JSON.parse(text))
