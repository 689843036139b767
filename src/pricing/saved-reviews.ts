import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { Value } from 'typebox/value'
import { roundSum } from '../domain/money.ts'
import { Problem } from '../domain/problem.ts'
import { dayMs } from '../domain/time.ts'
import type { Store } from '../store/port.ts'
import { invalidField } from './not-found.ts'
import type { SavedReview, SavedReviewBody, SavedReviewDetail } from './schema.ts'
import { Review } from './terraform/review/schema.ts'

export type ReviewStore = Pick<Store, 'settings' | 'documents'>

const settingName = 'reviews'
const maxSavedReviews = 500
const keptMs = 400 * dayMs
/** Compressed, of all reviews of an organisation; the oldest keep only their totals. */
const maxResourceBytes = 32 * 2 ** 20

export const savedReviewLimits =
  `The last ${maxSavedReviews} of ${keptMs / dayMs} days are kept, the resources of the latest up to ` +
  `${maxResourceBytes / 2 ** 20} MiB, compressed`

interface StoredReview extends Omit<SavedReview, 'has_resources'> {
  /** Bytes of the document with its resources; absent if it has none. */
  readonly bytes?: number
}

const documentOf = ({ id }: Pick<StoredReview, 'id'>): string => `reviews/${id}`

/** Returns the reviews that an organisation has saved, the latest first. */
export async function listSavedReviews(
  { settings }: ReviewStore,
  organisation: string,
  now: number,
): Promise<SavedReview[]> {
  return stillKept(storedIn(await settings.read(organisation, settingName)), now).map(shown)
}

export async function readSavedReview(
  { settings, documents }: ReviewStore,
  organisation: string,
  id: string,
  now: number,
): Promise<SavedReviewDetail> {
  const stored = stillKept(storedIn(await settings.read(organisation, settingName)), now)
  const found = stored.find((review) => review.id === id)
  if (found === undefined) throw unknown()
  const bytes = found.bytes === undefined ? undefined : await documents.read(organisation, documentOf(found))
  const review = bytes === undefined ? null : JSON.parse((await decompress(bytes)).toString('utf8'))
  return { ...shown(found), review }
}

export async function saveReview(
  store: ReviewStore,
  organisation: string,
  { name, before_per_month, after_per_month, unpriced, review }: SavedReviewBody,
  by: string,
  now: number,
): Promise<SavedReview> {
  if (review !== undefined && !Value.Check(Review, review))
    throw invalidField('/review', 'must be an answer of POST /v1/reviews')
  const totals: StoredReview = {
    id: randomUUID(),
    at: new Date(now).toISOString(),
    ...{ by, name, before_per_month, after_per_month },
    difference_per_month: roundSum(after_per_month - before_per_month),
    unpriced,
  }
  const bytes = review === undefined ? undefined : await compress(JSON.stringify(review))
  if (bytes !== undefined) await store.documents.write(organisation, documentOf(totals), bytes)
  const saved = bytes === undefined ? totals : { ...totals, bytes: bytes.length }
  await change(store, organisation, now, (reviews) => [saved, ...reviews])
  return shown(saved)
}

export async function removeSavedReview(
  store: ReviewStore,
  organisation: string,
  id: string,
  now: number,
): Promise<void> {
  await change(store, organisation, now, (reviews) => {
    if (!reviews.some((review) => review.id === id)) throw unknown()
    return reviews.filter((review) => review.id !== id)
  })
}

/** Repeats the change if somebody else has saved one meanwhile, and removes the resources of reviews that are gone. */
async function change(
  { settings, documents }: ReviewStore,
  organisation: string,
  now: number,
  changed: (reviews: readonly StoredReview[]) => StoredReview[],
): Promise<void> {
  let before: string | undefined
  let after: StoredReview[]
  do {
    before = await settings.read(organisation, settingName)
    after = withinLimits(changed(stillKept(storedIn(before), now)))
  } while (
    !(await settings.replace(
      organisation,
      settingName,
      before,
      after.length === 0 ? undefined : JSON.stringify(after),
    ))
  )
  const kept = new Set(after.filter(({ bytes }) => bytes !== undefined).map(documentOf))
  const gone = storedIn(before).filter(({ bytes }) => bytes !== undefined)
  await documents.remove(
    organisation,
    gone.map(documentOf).filter((name) => !kept.has(name)),
  )
}

function withinLimits(reviews: readonly StoredReview[]): StoredReview[] {
  let total = 0
  return reviews.slice(0, maxSavedReviews).map(({ bytes, ...review }) => {
    total += bytes ?? 0
    return bytes === undefined || total > maxResourceBytes ? review : { ...review, bytes }
  })
}

const storedIn = (text: string | undefined): StoredReview[] => (text === undefined ? [] : JSON.parse(text))

const stillKept = (reviews: readonly StoredReview[], now: number): StoredReview[] =>
  reviews.filter(({ at }) => Date.parse(at) > now - keptMs)

const shown = ({ bytes, ...review }: StoredReview): SavedReview => ({
  ...review,
  has_resources: bytes !== undefined,
})

const unknown = (): Problem => new Problem('not-found', 'No saved review has this id.')

const [compress, decompress] = [promisify(zstdCompress), promisify(zstdDecompress)]
