import { answerWithResponse, service } from './client.ts'
import { Refused } from './problem.ts'

type Call = (path: string, init: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>

/**
 * Calls any operation of the API by method and address, and returns the response as text, also if the service refused.
 */
export async function callService(
  method: string,
  address: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<{ status: number; text: string }> {
  const call = (service as unknown as Readonly<Record<string, Call>>)[method]!
  try {
    const { data, response } = await answerWithResponse(
      call(address, {
        parseAs: 'text',
        signal,
        headers,
        ...(body === undefined
          ? {}
          : {
              body,
              bodySerializer: (text: string) => text,
              headers: { ...headers, 'content-type': 'application/json' },
            }),
      }),
    )
    return { status: response.status, text: String(data ?? '') }
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 401) throw error
    return { status: error.status, text: JSON.stringify(error.problem) }
  }
}
