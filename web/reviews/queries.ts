import { useMutation } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'

type ReviewCall = paths['/v1/reviews']['post']
type ReviewBody = ReviewCall['requestBody']['content']['application/json']
export type Review = ReviewCall['responses'][200]['content']['application/json']
export type ReviewedChange = Review['changes'][number]
export type Effort = NonNullable<ReviewBody['efforts']>[number]

export interface PlanFile {
  readonly name: string
  readonly plan: Record<string, unknown>
}

/** Requests the cost of a plan. The plan exists only in this page's memory and in the request. */
export function useReview() {
  return useMutation({
    mutationFn: ({ file: { name, plan }, efforts }: { file: PlanFile; efforts: readonly Effort[] }) =>
      answer(service.POST('/v1/reviews', { body: { plan, name, efforts: [...efforts] } })),
    gcTime: 0,
  })
}
