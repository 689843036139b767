import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SizedNamespace } from './sized-namespace.ts'
import { viewNamespace } from './view.ts'

const pieceChars = 256 * 1024

/** A JSON array in pieces, so that megabytes of it hold nobody up. */
export async function* writeAnswer(
  namespaces: readonly SizedNamespace[],
  createdAt: number,
): AsyncGenerator<string> {
  let piece = '['
  for (const [index, sized] of namespaces.entries()) {
    piece += (index === 0 ? '' : ',') + JSON.stringify(viewNamespace(sized, createdAt))
    if (piece.length < pieceChars) continue
    yield piece
    piece = ''
    await nextTurn()
  }
  yield `${piece}]`
}
