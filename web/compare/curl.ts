/** A command that asks the same; the key is named and not written, so that it is in no history. */
export function curlOf(origin: string, path: string, body: unknown): string {
  const json = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)
  return [
    `curl ${origin}${path} \\`,
    `  -H "X-API-KEY: $CHEAPSIDE_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${json}'`,
  ].join('\n')
}
