import { expect, test } from 'vitest'
import { readSettings } from '../../config.ts'
import { parseCollections, parseRetention } from './ingest-part.ts'

test.each(['acme', 'Acme=30', 'acme=0', 'acme=1.5'])('a retention of %j is refused', (pair) => {
  const settings = readSettings({ CHEAPSIDE_RETENTION_OF: pair })
  expect(() => parseRetention(settings)).toThrow(
    `CHEAPSIDE_RETENTION_OF must be organisation=days, not "${pair}"`,
  )
})

test.each(['prometheus:9090', 'ops:hunter2@prometheus', 'prod=https://ops:hunter2@prometheus'])(
  'a collection from %j is refused, and the error does not have its text',
  (pair) => {
    const settings = readSettings({ CHEAPSIDE_COLLECT_FROM: pair })
    expect(() => parseCollections(settings)).toThrow(/^CHEAPSIDE_COLLECT_FROM must (?!.*(ops|hunter2))/)
  },
)
