import type { Resource } from '../input.ts'
import type { Workload } from '../workload.ts'

/** Cores or GiB; undefined if not set. */
export interface RequestAndLimit {
  readonly request: number | undefined
  readonly limit: number | undefined
}

export const requestAndLimitOf = (
  resource: Resource,
  { current = {} }: Pick<Workload, 'current'>,
): RequestAndLimit =>
  resource === 'cpu'
    ? { request: current.cpuRequest, limit: current.cpuLimit }
    : { request: current.memoryRequest, limit: current.memoryLimit }

/** Limit divided by request. It is 1 if only a limit is set, because Kubernetes then uses the limit as the request. */
export const proportionOf = ({ request, limit }: RequestAndLimit): number =>
  limit === undefined || request === undefined || request <= 0 ? 1 : Math.max(1, limit / request)
