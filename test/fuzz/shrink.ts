import { type FuzzRequest, smallerRequests } from './request.ts'

/** Finds, within a number of attempts, the smallest request for which `stillFails` is true. */
export async function shrinkRequest(
  request: FuzzRequest,
  stillFails: (candidate: FuzzRequest) => Promise<boolean>,
  maxTries: number,
): Promise<FuzzRequest> {
  let smallest = request
  let tries = 0
  for (let progress = true; progress; ) {
    progress = false
    for (const candidate of smallerRequests(smallest)) {
      if (tries++ >= maxTries) return smallest
      if (!(await stillFails(candidate))) continue
      smallest = candidate
      progress = true
      break
    }
  }
  return smallest
}
