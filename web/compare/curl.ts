/**
 * Returns a command that sends the same request. It refers to the key by a variable, so that the key is not in the
 * shell history.
 */
export function curlOf(origin: string, path: string, body: unknown): string {
  const json = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)
  return [
    `curl ${origin}${path} \\`,
    `  -H "X-API-KEY: $CHEAPSIDE_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${json}'`,
  ].join('\n')
}
