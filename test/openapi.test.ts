import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeService, documentFile, typesFile } from '../web/api/generate.ts'

test("docs/openapi.json and the console's types are those of the service; else: npm run openapi", async () => {
  const { document, types } = await describeService()
  expect(JSON.parse(readFileSync(documentFile, 'utf8'))).toEqual(JSON.parse(document))
  expect(readFileSync(typesFile, 'utf8')).toBe(types)
})
