import { addressWithoutQuery, ImportFailure } from '../../fetching/http/failure.ts'
import { notModified, type Sources } from '../../fetching/http/sources.ts'
import { JsonSkimmer, type Path, type SkimAction, type Skimming } from '../../fetching/json/skim.ts'
import { NotJson } from '../../fetching/json/values.ts'
import { PriceSheet } from '../../fetching/price-sheet.ts'

/** One pass over a file that contains products and, separately, their terms, which need the data of the products. */
export abstract class PriceListPass<Product> implements Skimming {
  readonly sheet = new PriceSheet()
  protected readonly region: string
  protected readonly products: Map<string, Product>
  protected readonly isSecond: boolean
  /** The day of publication. */
  protected day: string | undefined
  /** Whether terms came before the data that they need, and were skipped. */
  tooEarly = false

  /** `before` is the first pass, whose terms came too early. */
  constructor(region: string, before?: PriceListPass<Product>) {
    this.region = region
    this.isSecond = before !== undefined
    this.products = before?.products ?? new Map()
    this.day = before?.day
    if (before !== undefined) this.sheet.addAll(before.sheet)
  }

  abstract action(path: Path): SkimAction
  abstract worth(bytes: Buffer, path: Path): boolean
  abstract take(path: Path, value: unknown): void
}

/** Reads a file once, and a second time if terms came too early. Neither pass holds much of the file in memory. */
export async function readInPasses<Product>(
  sources: Sources,
  request: { readonly url: string; readonly maxBytes: number },
  newPass: (before?: PriceListPass<Product>) => PriceListPass<Product>,
): Promise<PriceSheet | typeof notModified> {
  const read = (conditional: boolean, before?: PriceListPass<Product>) =>
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
