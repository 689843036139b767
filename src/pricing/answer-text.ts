import type { FoundType } from '../domain/need.ts'
import type { Offer } from '../domain/offer.ts'
import { type Answer, type Facts, pricingOf } from './answer.ts'
import { millionthsText, thousandthsText } from './decimal-text.ts'
import type { Size } from './requirement.ts'
import { noSavings, type Savings, savingsBetween } from './savings.ts'
import type { WrittenOffer } from './written-offers.ts'

/** JSON text with the labels in order and any label as data, `__proto__` included. */
export function answerText(answer: Answer): string {
  return `{${answer.map(([label, items]) => `${JSON.stringify(label)}:${JSON.stringify(items)}`).join(',')}}`
}

/** The same text as that of answerOf(), without making the answer first; writtenOf gives an offer's own part. */
export function writeAnswer(
  current: Offer,
  vm: Size,
  found: readonly FoundType[],
  facts: Facts,
  writtenOf: (offer: Offer) => WrittenOffer,
): string {
  const base = { instance_pricing: pricingOf(current, vm, facts), vm: null, savings: noSavings }
  const now = { pricePerHourUsd: current.pricePerHourUsd, monthlyCapUsd: current.monthlyCapUsd }
  let text = `{"base":[${JSON.stringify(base)}]`
  for (const { instanceType, offers } of found) {
    let items = ''
    for (const offer of offers) {
      const { text: own, price } = writtenOf(offer)
      const savings = savingsBetween(now, price)
      if (savings === null || own === null) continue
      items += `${items === '' ? '' : ','}${own}${savingsText(savings)}}`
    }
    if (items !== '') text += `,${JSON.stringify(instanceType)}:[${items}]`
  }
  return `${text}}`
}

function savingsText(savings: Savings): string {
  return (
    `{"percentage":${thousandthsText(savings.percentage)},"amount_per_hour":${millionthsText(savings.amount_per_hour)},` +
    `"amount_per_month":${thousandthsText(savings.amount_per_month)},"amount_per_year":${thousandthsText(savings.amount_per_year)}}`
  )
}
