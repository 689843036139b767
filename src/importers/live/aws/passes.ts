import { addressWithoutQuery } from '../fetching/body.ts'
import { ImportFailure } from '../fetching/failure.ts'
import { notModified, type Sources } from '../fetching/sources.ts'
import { JsonSkimmer, type Skimming } from '../json/skim.ts'
import { NotJson } from '../json/values.ts'
import type { PriceSheet } from '../price-sheet.ts'

/** One pass over a file that contains products and, separately, their terms. */
export interface PriceListPass extends Skimming {
  readonly sheet: PriceSheet
  /** Whether terms came before the data that they need, and were skipped. */
  readonly tooEarly: boolean
}

/**
 * Reads a file once, and if terms came too early, a second time with what the first pass found. Neither pass holds
 * much of the file in memory.
 */
export async function readInPasses<L extends PriceListPass>(
  sources: Sources,
  request: { readonly url: string; readonly maxBytes: number },
  newPass: (before?: L) => L,
): Promise<PriceSheet | typeof notModified> {
  const read = (conditional: boolean, before?: L) =>
    sources.read({ ...request, conditional }, async (chunks) => {
      const pass = newPass(before)
      await skimStream(chunks, request.url, pass)
      return pass
    })
  const first = await read(true)
  if (first === notModified) return first
  if (!first.tooEarly) return first.sheet
  const second = await read(false, first)
  return second === notModified ? second : second.sheet
}

/** Skims a document while it arrives. */
async function skimStream(chunks: AsyncIterable<Uint8Array>, url: string, skimming: Skimming): Promise<void> {
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
