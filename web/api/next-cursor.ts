/** Reads the cursor of the next page from a Link header: `<...?cursor=x>; rel="next"` -> x */
export function nextCursor(link: string | null): string | undefined {
  const address = /<([^>]+)>;\s*rel="next"/.exec(link ?? '')?.[1]
  return address === undefined
    ? undefined
    : (new URL(address, 'http://service').searchParams.get('cursor') ?? undefined)
}
