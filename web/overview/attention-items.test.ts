import { expect, test } from 'vitest'
import type { Catalogue } from '../catalogue/tables.ts'
import { attentionItems } from './attention-items.ts'
import { figuresOf, machineSpendOf } from './figures-of.ts'

test('price lists that failed or were refused need attention, with the reason of the first', () => {
  const refresh = (provider: string, outcome: string) => ({
    provider,
    refresh: { outcome, reason: `the list of ${provider} is cut off` },
  })
  const providers = [
    { provider: 'Hetzner', refresh: null },
    refresh('AWS', 'fresh'),
    refresh('GCP', 'needs-credential'),
    refresh('Azure', 'failed'),
    refresh('OVHCloud', 'refused'),
  ] as unknown as Catalogue['providers']
  const titles = (of: Catalogue['providers']) =>
    attentionItems({
      sources: [],
      figures: figuresOf([]),
      machines: machineSpendOf([], () => false),
      recommendations: undefined,
      catalogue: { providers: of } as Catalogue,
      now: 0,
      kept: new URLSearchParams(),
    }).map(({ title, text }) => `${title}. ${text}`)
  expect(titles(providers)).toEqual([
    'Prices of Azure, OVHCloud could not be refreshed. The previous ones stay in use: the list of Azure is cut off.',
  ])
  expect(titles(providers.slice(0, 3))).toEqual([])
})
