import type { Catalogue } from '../../../catalogue/catalogue.ts'
import type { Offer } from '../../../domain/offer.ts'
import { dayOf } from '../../../domain/time.ts'
import type { PriceRulesView } from '../../../pricing/rules/schema.ts'
import { type Command, CommandFailure, exitCode, textOption, UsageError } from '../../command.ts'
import { organisationOption } from '../../organisation.ts'
import { withService } from '../../with-service.ts'
import { offlinePricing } from './offline-pricing.ts'

const formats = ['karpenter', 'opencost'] as const

export const exportCommand: Command = {
  name: 'prices export',
  summary: 'Print your price rules as Karpenter NodeOverlays or as the pricing file of OpenCost',
  operandCount: [0, 1],
  settings: ['server', 'data', 'catalogue', 'providers'],
  options: {
    format: textOption('FORMAT', 'karpenter or opencost', formats),
    organisation: organisationOption,
    provider: textOption('NAME', 'Provider of the cluster'),
    region: textOption('NAME', 'Region of the cluster; for opencost all regions by default'),
  },
  notes: [
    'karpenter: NodeOverlay objects (karpenter.sh/v1alpha1) for kubectl apply; overlays do not stack, so each has the combined result',
    'of all rules for its instance types. opencost: CSV with the price of each type, on demand with Linux.',
  ].join('\n'),
  run: async (call) => {
    // 0.3.0 took the format as an operand.
    const format = call.operands[0] ?? call.requiredText('format')
    if (!formats.includes(format as never)) throw new UsageError('--format must be karpenter or opencost')
    const { catalogue, findProvider } = await offlinePricing(call.settings)
    const provider = findProvider(call.requiredText('provider'))
    if (provider === undefined) throw new UsageError('--provider must be a known provider')
    const known = catalogue().regionsOf(provider.key)
    const region = format === 'karpenter' ? call.requiredText('region') : call.text('region')
    if (region !== undefined && !known.includes(region))
      throw new UsageError(`--region must be a region of ${provider.displayName}`)
    const { checkPriceRules } = await import('../../../pricing/rules/store-rules.ts')
    const { rules: set } = await withService(call, (service) =>
      service.ask<PriceRulesView>('/v1/price_rules'),
    )
    const rules = checkPriceRules(set)
    const offers = (region === undefined ? known : [region]).flatMap((name) =>
      linuxOffers(catalogue(), provider.key, name),
    )
    const day = dayOf(Date.now())
    if (format === 'opencost') {
      const { openCostCsv } = await import('../../../pricing/rules/opencost-csv.ts')
      call.out(openCostCsv(rules, offers, day).trimEnd())
      return exitCode.done
    }
    const { nodeOverlays } = await import('../../../pricing/rules/node-overlays.ts')
    const overlays = nodeOverlays(rules, offers, day)
    if (overlays.length === 0) throw new CommandFailure('no price rule applies in this region')
    const { stringify } = await import('yaml')
    return call.show(overlays, () =>
      overlays
        .map((overlay) => stringify(overlay, { aliasDuplicateObjects: false }))
        .join('---\n')
        .trimEnd(),
    )
  },
}

const linuxOffers = (catalogue: Catalogue, provider: string, region: string): Offer[] =>
  catalogue
    .typesOf(provider)
    .flatMap((instanceType) =>
      catalogue.offersOf({ provider, region, instanceType, operatingSystem: 'Linux' }),
    )
