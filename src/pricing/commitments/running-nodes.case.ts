import { onTestFinished } from 'vitest'
import type { Offer } from '../../domain/offer.ts'
import { hourMs } from '../../domain/time.ts'
import { type Entity, encodeEntity, entityKey, newEntity, setAttribute } from '../../usage/digest/entities.ts'
import { openTestMarket } from '../test-market.case.ts'
import type { CoveredHourDeps } from './covered-hour.ts'
import type { CommitmentInput } from './schema.ts'
import { checkCommitments } from './store-commitments.ts'

/** Nodes that run from one hour to another, counted back from now. */
export const nodesAt =
  (nowHour: number) =>
  (name: string, instanceType: string, from: number, until = 0): Entity => {
    const entity = newEntity({ kind: 'node', cluster: 'c', namespace: '', name }, nowHour - from)
    const texts = { provider: 'aws', region: 'us-east-1', instanceType }
    for (const [key, text] of Object.entries(texts)) setAttribute(entity, key, text, 3600 * (nowHour - from))
    entity.lastHour = nowHour - until - 1
    return entity
  }

export async function depsOf(
  offers: readonly Offer[],
  nodes: readonly Entity[],
  owned: readonly CommitmentInput[],
  nowHour: number,
): Promise<CoveredHourDeps> {
  const { pricing, close } = await openTestMarket(offers)
  onTestFinished(close)
  const rows = nodes.map((entity) => ({ key: entityKey(entity.ref), json: encodeEntity(entity) }))
  return {
    pricing: { ...pricing, commitments: async () => checkCommitments(owned) },
    store: { usage: { entities: async () => rows } },
    now: () => nowHour * hourMs,
  } as unknown as CoveredHourDeps
}
