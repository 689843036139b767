import type { Provider } from '../domain/provider.ts'

/** No cloud: the default rates of domain/money.ts. It has no offers and no predicates. */
export const baseProvider: Provider = {
  key: 'base',
  displayName: 'Base',
  service: 'BaseCompute',
  aliases: [],
  serviceAliases: ['base compute'],
  onByDefault: true,
  zoneLiesIn: () => false,
  familyOf: () => '',
  burstableBaselineOf: () => null,
}
