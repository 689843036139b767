import { answer, service } from '../api/client.ts'
import type { KeyRecord } from './session.ts'

/** What a key is; throws Refused where it is none. */
export function askForKey(key: string): Promise<KeyRecord> {
  return answer(service.GET('/key', { headers: { 'x-api-key': key } }))
}
