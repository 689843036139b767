import type { Offer } from '../../domain/offer.ts'
import { csvCell } from '../../domain/text.ts'
import { applyRules, type PriceRule } from './price-rule.ts'

/**
 * Returns prices with the rules applied as the custom pricing file of OpenCost, which knows one price for each type in a
 * region: that on demand for Linux. opencost.io/docs/configuration/on-prem; columns of pkg/cloud/provider/csvprovider.go
 */
export function openCostCsv(rules: readonly PriceRule[], offers: readonly Offer[], day: string): string {
  const rows = offers
    .filter(({ usageType, zone }) => usageType === 'ONDEMAND' && zone === '')
    .map((offer) => {
      const { region, instanceType } = offer
      const { pricePerHourUsd } = applyRules(rules, offer, day)
      return ['', instanceType, region, 'node', typeLabel, instanceType, String(pricePerHourUsd), '']
    })
  return `${[columns, ...rows].map((row) => row.map(csvCell).join(',')).join('\n')}\n`
}

const columns = [
  'EndTimestamp',
  'InstanceID',
  'Region',
  'AssetClass',
  'InstanceIDField',
  'InstanceType',
  'MarketPriceHourly',
  'Version',
]
const typeLabel = 'metadata.labels.node.kubernetes.io/instance-type'
