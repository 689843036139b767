import type { FastifySchemaCompiler } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { compileValidator } from './requests/validation.ts'
import { ComputeQuestionBody } from './schemas/compute.ts'
import { RecommendationBody } from './schemas/pricing.ts'

export type ComputeQuestionInput = Static<typeof ComputeQuestionBody>

/** A body with the instance in a member of its own; one that has the contract's instance_type is the contract's. */
export function isNested(body: unknown): body is ComputeQuestionInput {
  return typeof body === 'object' && body !== null && 'instance' in body && !('instance_type' in body)
}

/** Checks a body against the one of the two forms that it has, so that errors speak of that form alone. */
export const compileFlatOrNested: FastifySchemaCompiler<TSchema> = (part) => {
  if (part.httpPart !== 'body') return compileValidator(part)
  const flat = compileValidator({ ...part, schema: RecommendationBody })
  const nested = compileValidator({ ...part, schema: ComputeQuestionBody })
  return (body: unknown) => (isNested(body) ? nested(body) : flat(body))
}
