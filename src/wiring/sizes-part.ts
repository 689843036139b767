import type { Clock } from '../domain/clock.ts'
import { baseRates } from '../domain/money.ts'
import { namespaceRoutes } from '../http/routes/namespaces.ts'
import { advisorNamed, profiles } from '../operations/recommend-sizes/advisors.ts'
import type { SizesDeps } from '../operations/recommend-sizes/deps.ts'
import { LoadBook } from '../operations/recommend-sizes/load-book.ts'
import type { Store } from '../store/port.ts'
import { decodeEntity } from '../usage/entity-codec.ts'
import type { Part, Surroundings } from './part.ts'

/** How big containers should be. */
export function sizesPart({ store, now }: Surroundings) {
  const deps = sizesDeps(store, now)
  return { deps, routes: [namespaceRoutes(deps)] } satisfies Part & Record<string, unknown>
}

export function sizesDeps(store: Pick<Store, 'usage'>, now: Clock): SizesDeps {
  return {
    store,
    now,
    loads: new LoadBook(store, now),
    profiles,
    advisor: async (_organisation, profile) => advisorNamed(profile),
    nodePrices: async (organisation, cluster) => {
      const rows = await store.usage.entities(organisation, {
        kinds: ['node'],
        ...(cluster === undefined ? {} : { cluster }),
      })
      const prices = new Map(
        rows.map(({ key, json }) => {
          const { ref, attributes } = decodeEntity(key, json)
          const number = (name: string) => attributes.get(name)?.value as number | undefined
          const [cores, bytes] = [number('capacity/cpu'), number('capacity/memory')]
          const rates = {
            corePerHourUsd: number('cpuPerHourUsd') ?? baseRates.corePerHourUsd,
            gibPerHourUsd: number('ramGibPerHourUsd') ?? baseRates.gibPerHourUsd,
          }
          const perHourUsd =
            cores === undefined || bytes === undefined
              ? null
              : cores * rates.corePerHourUsd + (bytes / 2 ** 30) * rates.gibPerHourUsd
          return [`${ref.cluster}\0${ref.name}`, { ...rates, perHourUsd }] as const
        }),
      )
      return { of: (of, node) => prices.get(`${of}\0${node}`) ?? { ...baseRates, perHourUsd: null } }
    },
  }
}
