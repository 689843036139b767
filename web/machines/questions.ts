import { useQuery } from '@tanstack/react-query'
import { useAllPages } from '../api/all-pages.ts'
import { answer, answerWithResponse, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { windowOf } from '../parts/window-choice.tsx'

export type Summary =
  paths['/v1/vm_summaries']['get']['responses'][200]['content']['application/json'][number]
export type Process =
  paths['/v1/vm_recommendations']['get']['responses'][200]['content']['application/json'][number]
export type Home = NonNullable<NonNullable<Summary['rehost']>['anywhere']>

const pageRows = 200

/** All machines, with where each would cost least; pages come one after the other. */
export function useSummaries(days: number) {
  return useAllPages(['machines', days], async (cursor, signal) => {
    const query = { ...windowOf(days, Date.now()), include_rehost: true, limit: pageRows, ...cursor }
    return answerWithResponse(service.GET('/v1/vm_summaries', { params: { query }, signal }))
  })
}

/** null where nothing is known of the machine. */
export function useSummary(vm: string, days: number) {
  return useQuery({
    queryKey: ['machine', vm, days],
    queryFn: async ({ signal }) => {
      const query = { ...windowOf(days, Date.now()), vm, include_rehost: true }
      const found = await answer(service.GET('/v1/vm_summaries', { params: { query }, signal }))
      return found.find((each) => each.vm === vm) ?? null
    },
  })
}

export function useProcesses(vm: string, days: number) {
  return useAllPages(['processes', vm, days], async (cursor, signal) => {
    const query = { ...windowOf(days, Date.now()), vm, limit: pageRows, ...cursor }
    return answerWithResponse(service.GET('/v1/vm_recommendations', { params: { query }, signal }))
  })
}
