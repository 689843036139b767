import { useQuery } from '@tanstack/react-query'
import { useAllPages } from '../api/all-pages.ts'
import { answer, answerWithResponse, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import type { Period } from '../usage/period.ts'

export type Summary =
  paths['/v1/vm_summaries']['get']['responses'][200]['content']['application/json'][number]
export type Process =
  paths['/v1/vm_recommendations']['get']['responses'][200]['content']['application/json'][number]
export type Metadata =
  paths['/v1/vm_metadata']['get']['responses'][200]['content']['application/json'][number]

/** As many as the service lists at once, so that several sequential pages are rare. */
const pageRows = 1000

/** Loads all machines, each with its cheapest alternatives. Pages are loaded one after the other. */
export function useSummaries({ start_date, end_date }: Period) {
  return useAllPages(['machines', start_date, end_date], async (cursor, signal) => {
    const query = { start_date, end_date, include_rehost: true, limit: pageRows, ...cursor }
    return answerWithResponse(service.GET('/v1/vm_summaries', { params: { query }, signal }))
  })
}

/** The result is null if nothing is known about the machine. */
export function useSummary(vm: string, { start_date, end_date }: Period) {
  return useQuery({
    queryKey: ['machine', vm, start_date, end_date],
    queryFn: async ({ signal }) => {
      const query = { start_date, end_date, vm, include_rehost: true }
      const found = await answer(service.GET('/v1/vm_summaries', { params: { query }, signal }))
      return found.find((each) => each.vm === vm) ?? null
    },
  })
}

export function useProcesses(vm: string, { start_date, end_date }: Period) {
  return useAllPages(['processes', vm, start_date, end_date], async (cursor, signal) => {
    const query = { start_date, end_date, vm, limit: pageRows, ...cursor }
    return answerWithResponse(service.GET('/v1/vm_recommendations', { params: { query }, signal }))
  })
}

const pageMetadata = 1000

/** Loads what every machine reports about itself, and its price, without reading usage. */
export function useMachineMetadata(enabled = true) {
  return useAllPages(
    ['vm-metadata'],
    (cursor, signal) =>
      answerWithResponse(
        service.GET('/v1/vm_metadata', { params: { query: { limit: pageMetadata, ...cursor } }, signal }),
      ),
    enabled,
  )
}
