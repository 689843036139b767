import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeModel } from '../../decisions/model/model-codec.ts'
import { openTestMarket, type TestMarket } from '../../pricing/test-market.case.ts'
import { setPreference } from '../../recommendations/containers/preference.ts'
import { advisorFor } from '../../rightsizing/advisor.ts'
import { dailyUsage } from '../../rightsizing/history/days.ts'
import { resourceHistory } from '../../rightsizing/history/history.ts'
import { trainModel } from '../../rightsizing/model/model.ts'
import { prices, spansOf } from '../../rightsizing/usage.case.ts'
import { sizesDeps } from './sizes-part.ts'

let fakeCatalogue: TestMarket
beforeAll(async () => {
  fakeCatalogue = await openTestMarket()
})
afterAll(() => fakeCatalogue.close())

const days = 6
const spansOfOne = (id: number) =>
  spansOf(days, {
    cpu: (hour) => [0.3 + (id % 7) / 4 + 0.2 * Math.sin(hour / (3 + (id % 5)))],
    gib: (hour) => [1 + ((id + hour) % 11) / 10],
  })

/** Made as for every entry point to namespaces, including the command line. */
const deps = () => sizesDeps(fakeCatalogue.store, fakeCatalogue.pricing, () => 1_800_000_000_000)
const moment = { atHour: days * 24, prices }

test('any process that opens the store uses the model of the organisation', async () => {
  const fleet = Array.from({ length: 25 }, (_, id) => ({
    id: `c${id}`,
    usage: {
      cpu: dailyUsage(resourceHistory(spansOfOne(id), 'cpu'), days * 24),
      memory: dailyUsage(resourceHistory(spansOfOne(id), 'memory'), days * 24),
    },
  }))
  const model = trainModel(fleet)
  await fakeCatalogue.store.models.write('acme', encodeModel(model, 1_799_999_000_000))
  const trainedOn = async (organisation: string) => {
    const advisor = advisorFor({}, (await deps().modelOf(organisation)).model)
    const workload = { spans: spansOfOne(3) }
    return advisor.explain(workload, moment, advisor.recommend(workload, moment)).cpu!.trainedOnDays
  }
  expect(await trainedOn('acme')).toBe(25 * (days - 1))
  expect(await trainedOn('other')).toBe(0)
})

test("the caller's preference overrides the organisation's", async () => {
  await setPreference(fakeCatalogue, 'globex', { profile: 'safe' })
  const decided = async (organisation: string, preference?: { risk: number }) => {
    const advisor = advisorFor(preference ?? (await deps().preferenceOf(organisation)), {})
    return advisor.recommend({ spans: spansOfOne(1) }, moment).cpu!.steps[0]!.by
  }
  expect(await decided('globex')).toBe('safe')
  expect(await decided('globex', { risk: 0.01 })).toBe('risk')
  expect(await decided('other')).toBe('balanced')
})
