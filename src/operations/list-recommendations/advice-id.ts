import { createHash } from 'node:crypto'
import type { AdviceKind } from '../../domain/recommendation.ts'

/** 96 bits of a hash over the kind and the names of the subject: the same on every node and after every computation. */
export const adviceId = (kind: AdviceKind, ...names: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, ...names]))
    .digest('hex')
    .slice(0, 24)
