import { randomUUID } from 'node:crypto'
import { roundSum } from '../domain/money.ts'
import { Problem } from '../domain/problem.ts'
import { dayMs } from '../domain/time.ts'
import type { SettingsStore } from '../store/port.ts'
import type { SavedReview, SavedReviewBody } from './schema.ts'

const settingName = 'reviews'
const maxSavedReviews = 500
const keptMs = 400 * dayMs

export const savedReviewLimits = `The last ${maxSavedReviews} of ${keptMs / dayMs} days are kept`

/** Returns the reviews that an organisation has saved, the latest first. */
export async function listSavedReviews(
  settings: SettingsStore,
  organisation: string,
  now: number,
): Promise<SavedReview[]> {
  return stillKept(await settings.read(organisation, settingName), now)
}

export async function saveReview(
  settings: SettingsStore,
  organisation: string,
  review: SavedReviewBody,
  by: string,
  now: number,
): Promise<SavedReview> {
  const { name, before_per_month, after_per_month, unpriced } = review
  const saved = {
    id: randomUUID(),
    at: new Date(now).toISOString(),
    ...{ by, name, before_per_month, after_per_month },
    difference_per_month: roundSum(after_per_month - before_per_month),
    unpriced,
  }
  await change(settings, organisation, now, (reviews) => [saved, ...reviews])
  return saved
}

export async function removeSavedReview(
  settings: SettingsStore,
  organisation: string,
  id: string,
  now: number,
): Promise<void> {
  await change(settings, organisation, now, (reviews) => {
    if (!reviews.some((review) => review.id === id))
      throw new Problem('not-found', 'No saved review has this id.')
    return reviews.filter((review) => review.id !== id)
  })
}

/** Repeats the change if somebody else has saved one meanwhile. */
async function change(
  settings: SettingsStore,
  organisation: string,
  now: number,
  changed: (reviews: readonly SavedReview[]) => SavedReview[],
): Promise<void> {
  let before: string | undefined
  let after: SavedReview[]
  do {
    before = await settings.read(organisation, settingName)
    after = changed(stillKept(before, now)).slice(0, maxSavedReviews)
  } while (
    !(await settings.replace(
      organisation,
      settingName,
      before,
      after.length === 0 ? undefined : JSON.stringify(after),
    ))
  )
}

const stillKept = (text: string | undefined, now: number): SavedReview[] =>
  ((text === undefined ? [] : JSON.parse(text)) as SavedReview[]).filter(
    ({ at }) => Date.parse(at) > now - keptMs,
  )
