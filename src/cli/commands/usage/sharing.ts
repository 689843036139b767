import { costPartNames } from '../../../costs/parts/cost-part.ts'
import type { OrganisationSharing, SharingInput } from '../../../costs/report/organisation-sharing.ts'
import { dollars } from '../../../domain/money.ts'
import { type Call, type Command, flagOption, listOption, textOption, UsageError } from '../../command.ts'
import { organisationOption, settingPath } from '../../organisation.ts'
import { withAdminService } from '../../with-service.ts'

const methods = ['apart', 'by_cost', 'evenly', 'fixed'] as const
const settings = ['server', 'data'] as const
const methodOption = (what: string) =>
  textOption('METHOD', `${what}: apart (default), by_cost, evenly by namespace, or fixed by --share`, methods)

export const sharingCommands: readonly Command[] = [
  {
    name: 'sharing show',
    summary: 'Show how idle cost and the cost of shared namespaces is divided',
    settings,
    options: { organisation: organisationOption },
    run: (call) =>
      withAdminService(call, async (service) =>
        show(call, await service.ask(settingPath('cost_sharing', call.text('organisation')))),
      ),
  },
  {
    name: 'sharing set',
    summary: 'Set how idle cost and the cost of shared namespaces is divided',
    settings,
    options: {
      organisation: organisationOption,
      idle: methodOption('Idle cost of nodes'),
      shared: methodOption('Cost of --namespace'),
      namespace: listOption('PATTERN', 'A namespace that all others use, such as monitoring-*'),
      off: { ...listOption('PART', 'A part of the bill to leave out'), choices: costPartNames },
      'load-balancer-price': textOption('USD', 'Your price of a load balancer a month'),
      'network-price': textOption('USD', 'Your price of a GiB sent to the internet; shows what pods send'),
      'internet-percent': textOption(
        'PERCENT',
        'Part of what pods send that goes to the internet; counts it',
      ),
      share: listOption('NAMESPACE=PERCENT', 'Share of a namespace, for fixed'),
      clear: flagOption('Forget what was set before'),
    },
    optionsByPointer: {
      '/off': '--off',
      '/load_balancer_usd_per_month': '--load-balancer-price',
      '/network_usd_per_gib': '--network-price',
      '/network_internet_percent': '--internet-percent',
      '/idle': '--idle',
      '/shared': '--shared',
      '/shares': '--share',
      '/shared_namespaces': '--namespace',
    },
    notes: [
      'What is not named stays as it is; a list replaces the whole list, and none removes a price or a percentage.',
      'With --clear alone, all costs stay apart and no price is set.',
    ].join('\n'),
    run: (call) => {
      const input = inputOf(call)
      if (Object.keys(input).length === 0 && !call.flag('clear'))
        throw new UsageError('sharing set needs an option that says what to set, or --clear')
      return withAdminService(call, async (service) => {
        const before = await service.ask<OrganisationSharing>(
          settingPath('cost_sharing', call.text('organisation')),
        )
        const { organisation, set, ...kept } = before
        const body = call.flag('clear') ? input : { ...kept, ...input }
        return show(
          call,
          await service.ask(settingPath('cost_sharing', organisation), { method: 'PUT', body }),
        )
      })
    },
  },
]

function inputOf(call: Call): SharingInput {
  const [idle, shared] = [call.text('idle'), call.text('shared')] as (SharingInput['idle'] | undefined)[]
  const namespaces = call.texts('namespace')
  const shares = call.texts('share')?.map((text) => {
    const [, namespace, percent] = /^([^=]+)=(\d+(?:\.\d+)?)$/.exec(text) ?? []
    if (namespace === undefined) throw new UsageError(`--share must be NAMESPACE=PERCENT, not ${text}`)
    return [namespace, Number(percent)] as const
  })
  const prices = [
    ['load_balancer_usd_per_month', 'load-balancer-price'],
    ['network_usd_per_gib', 'network-price'],
    ['network_internet_percent', 'internet-percent'],
  ] as const
  const off = call.texts('off') as SharingInput['off']
  return {
    ...(off && { off }),
    ...Object.fromEntries(
      prices
        .filter(([, option]) => call.text(option) !== undefined)
        .map(([member, option]) => [member, call.text(option) === 'none' ? null : call.number(option)]),
    ),
    ...(idle && { idle }),
    ...(shared && { shared }),
    ...(namespaces && { shared_namespaces: namespaces }),
    ...(shares && { shares: Object.fromEntries(shares) }),
  }
}

function show(call: Call, sharing: OrganisationSharing) {
  const { organisation, idle, shared, shared_namespaces, shares, off } = sharing
  const { load_balancer_usd_per_month: loadBalancerUsd, network_usd_per_gib: gibUsd } = sharing
  const { network_internet_percent: percent } = sharing
  const names = shared_namespaces.length === 0 ? 'none' : shared_namespaces.join(', ')
  const fixed = Object.entries(shares).map(([name, percent]) => `${name} ${percent}%`)
  const lines = [
    `Idle cost of ${organisation}: ${idle}`,
    `Shared namespaces: ${names}${shared_namespaces.length === 0 ? '' : `; their cost: ${shared}`}`,
    ...(off.length === 0 ? [] : [`Left out: ${off.join(', ')}`]),
    ...(loadBalancerUsd == null ? [] : [`A load balancer: ${dollars(loadBalancerUsd)} a month`]),
    ...(gibUsd == null
      ? []
      : [
          `A GiB sent to the internet: ${dollars(gibUsd)}; ${percent == null ? 'which part of the network that is, is not known' : `${percent}% of what pods send`}`,
        ]),
    ...(fixed.length === 0 ? [] : [`Fixed shares: ${fixed.join(', ')}`]),
  ]
  return call.show(sharing, () => lines.join('\n'))
}
