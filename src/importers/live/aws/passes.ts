import { addressWithoutQuery } from '../fetching/body.ts'
import { ImportFailure } from '../fetching/failure.ts'
import { notModified, type Sources } from '../fetching/sources.ts'
import { JsonSkimmer, type Skimming } from '../json/skim.ts'
import { NotJson } from '../json/values.ts'
import type { PriceSheet } from '../price-sheet.ts'

/** One reading of a file that has products and, apart from them, their terms. */
export interface PriceListPass extends Skimming {
  readonly sheet: PriceSheet
  /** Terms came before what they need, and were passed over. */
  readonly tooEarly: boolean
}

/** Reads a file once, and where terms came too early once more with what the first look found: neither holds much of it. */
export async function readInPasses<L extends PriceListPass>(
  sources: Sources,
  request: { readonly url: string; readonly mostBytes: number },
  look: (before?: L) => L,
): Promise<PriceSheet | typeof notModified> {
  const read = (conditional: boolean, before?: L) =>
    sources.read({ ...request, conditional }, async (chunks) => {
      const reading = look(before)
      await skimStream(chunks, request.url, reading)
      return reading
    })
  const first = await read(true)
  if (first === notModified) return first
  if (!first.tooEarly) return first.sheet
  const again = await read(false, first)
  return again === notModified ? again : again.sheet
}

/** Skims a document as it comes in. */
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
