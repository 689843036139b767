import { expect, test } from 'vitest'
import { checkAccept } from './negotiation.ts'

const json = ['application/json']
const rows: [accept: string | undefined, produces: readonly string[], taken: boolean][] = [
  [undefined, json, true],
  ['*/*', json, true],
  ['application/json', json, true],
  ['application/*;q=0.5', json, true],
  ['text/html, application/xhtml+xml, */*;q=0.8', json, true],
  ['Application/JSON; charset=utf-8', json, true],
  ['text/html', json, false],
  ['application/json;q=0', json, false],
  ['application/json;q=0.000, text/csv', json, false],
  ['application/json', ['text/html'], false],
  ['text/plain;version=0.0.4', ['text/plain'], true],
  ['', json, false],
]
test.each(rows)('Accept: %s for %s', (accept, produces, taken) => {
  const attempt = () => checkAccept(accept, produces)
  if (taken) attempt()
  else expect(attempt).toThrow('produces')
})
