import type { FactsReader } from '../cloud.ts'

/** The regions of the one European price, as the README of the price facts names them. */
export const ovhcloudFacts: FactsReader = {
  expand: async () => new Map([['eu', ['GRA9', 'GRA11', 'RBX-A', 'SBG5', 'DE1', 'UK1', 'WAW1']]]),
}
