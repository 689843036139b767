import { flexibleSizeOf } from '../../catalogue/shipped-facts.ts'
import type { Precondition } from '../../domain/cursor.ts'
import { type FieldError, Problem } from '../../domain/problem.ts'
import { findProvider } from '../../providers/providers.ts'
import { ListSetting } from '../../store/list-setting.ts'
import type { SettingsStore } from '../../store/port.ts'
import type { Commitment } from './commitment.ts'
import { parseCommitments } from './parse-commitments.ts'
import type { CommitmentInput, CommitmentsView } from './schema.ts'

const setting = new ListSetting<CommitmentInput, CommitmentsView>(
  'commitments',
  'commitments',
  (commitments, etag) => ({ commitments, etag }),
)

export const readCommitments = async (settings: SettingsStore, organisation: string): Promise<Commitment[]> =>
  parseCommitments(await setting.read(settings, organisation), { findProvider, flexibleSizeOf }, [])

export const showCommitments = (settings: SettingsStore, organisation: string): Promise<CommitmentsView> =>
  setting.show(settings, organisation)

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
  return setting.replace(settings, organisation, inputs, isExpected)
}
