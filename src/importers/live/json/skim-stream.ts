import { addressWithoutQuery, ImportFailure } from '../fetching/failure.ts'
import { NotJson } from './not-json.ts'
import { JsonSkimmer, type Skimming } from './skim.ts'

/** Skims a document as it comes in. */
export async function skimStream(
  chunks: AsyncIterable<Uint8Array>,
  url: string,
  skimming: Skimming,
): Promise<void> {
  const skimmer = new JsonSkimmer(skimming)
  try {
    for await (const chunk of chunks) skimmer.write(chunk)
    skimmer.finish()
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    throw new ImportFailure(
      error.cut ? 'truncated' : 'malformed',
      `${addressWithoutQuery(url)}: ${error.message}`,
    )
  }
}
