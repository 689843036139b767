import { Problem } from '../../domain/problem.ts'
import { reservedNames } from '../../operations/marketplace/register-marketplace.ts'
import type { Routes } from '../server.ts'

const unpriced = reservedNames.filter((kind) => kind !== 'compute')

const addresses: readonly (readonly [path: string, methods: readonly string[]])[] = [
  ['/pricing/KIND', ['POST']],
  ['/v1/pricing/KIND', ['POST']],
  ['/recommendations/KIND', ['POST']],
  ['/v1/recommendations/KIND', ['POST']],
  ['/marketplace/providers/KIND', ['GET', 'POST', 'DELETE']],
  ['/v1/marketplace/KIND', ['GET', 'POST']],
  ['/v1/marketplace/KIND/:id', ['GET', 'PATCH', 'DELETE']],
  ['/v1/marketplace/filters/KIND', ['GET']],
]

/** Kinds of prices that clients of the compute endpoints may ask for too, and that are not here. */
export function unpricedKindRoutes(): Routes {
  return (server) => {
    for (const kind of unpriced)
      for (const [path, methods] of addresses)
        server.route({
          method: [...methods],
          url: path.replace('KIND', kind),
          config: { scope: 'any' },
          onRequest: () => {
            throw new Problem('not-found', `There are no prices of ${kind} here, only of compute instances.`)
          },
          handler: () => {},
        })
  }
}
