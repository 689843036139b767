import { queryOptions } from '@tanstack/react-query'
import { answer, service } from './client.ts'

/** Loads the sources and age of prices, and the exchange rate. */
export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: ({ signal }) => answer(service.GET('/catalogue', { signal })),
})
