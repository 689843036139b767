import { addressWithoutQuery, ImportFailure } from '../fetching/failure.ts'
import type { Sources } from '../fetching/sources.ts'
import { listOf, memberOf, objectOf, textOf } from '../shape.ts'

const mostPages = 20_000

/** Page after page, by the links that each gives to the next. */
export async function* retailItems(
  sources: Sources,
  first: string,
  onPage: (page: number) => void,
): AsyncGenerator<readonly unknown[]> {
  const { origin } = new URL(first)
  let url = first
  const seen = new Set<string>()
  for (let page = 1; url !== ''; page++) {
    if (seen.has(url) || page > mostPages)
      throw new ImportFailure('malformed', `${addressWithoutQuery(first)} gives pages without end`)
    seen.add(url)
    // The service asks to wait a minute when it answers 429.
    const answer = await sources.json({ url, busyMs: 60_000 })
    const items = listOf(memberOf(answer, 'Items', url))
    onPage(page)
    yield items
    url = textOf(objectOf(answer).NextPageLink)
    if (url !== '' && new URL(url, first).origin !== origin) url = elsewhere(url, origin)
  }
}

/** Links name the service's own host (with its port), also where it is asked through a mirror. */
function elsewhere(link: string, origin: string): string {
  const { pathname, search } = new URL(link)
  return origin + pathname + search
}
