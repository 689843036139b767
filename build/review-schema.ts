import { writeFileSync } from 'node:fs'
import { Review } from '../src/pricing/terraform/review/schema.ts'

// Writes docs/review.schema.json, the JSON Schema of `cheapside review --format json`:
//   node build/review-schema.ts

export const schemaText = `${JSON.stringify(Review, null, 2)}\n`

if (import.meta.main) writeFileSync(new URL('../docs/review.schema.json', import.meta.url), schemaText)
