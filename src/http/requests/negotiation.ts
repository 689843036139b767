import { Problem } from '../../domain/problem.ts'

export const jsonMediaType = 'application/json'
export const ndjsonMediaType = 'application/x-ndjson'
/** Headers of a response that is sent as text. */
export const jsonContentType = 'application/json; charset=utf-8'

/** Throws where the Accept header takes none of what the route can answer in. */
export function checkAccept(accept: string | undefined, produces: readonly string[]): void {
  if (accept === undefined || accept === '*/*' || accept === jsonMediaType) {
    if (accept !== jsonMediaType || produces.includes(jsonMediaType)) return
  }
  const ranges = (accept ?? '*/*')
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim().toLowerCase()))
  const taken = ranges.some(([range = '', ...params]) => {
    const refused = params.some((param) => /^q=0(\.0*)?$/.test(param))
    return !refused && produces.some((type) => matches(range, type))
  })
  if (!taken) throw new Problem('not-acceptable', `This endpoint produces ${produces.join(' or ')}.`)
}

function matches(range: string, type: string): boolean {
  return range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))
}
