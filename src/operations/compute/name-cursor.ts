import { namesInCursor } from '../../domain/cursor.ts'
import { invalidField } from '../pricing/not-found.ts'

/** The names of the last item of the page before. */
export function namesAfter(cursor: string, count: number): readonly string[] {
  const names = namesInCursor(cursor, count)
  if (names === undefined) throw invalidField('?cursor', 'must be one from a Link header')
  return names
}
