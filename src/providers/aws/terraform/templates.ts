import type { PlanValues } from '../../../domain/planned-instance.ts'
import { awsProvider } from '../provider.ts'

export interface LaunchSettings {
  readonly instanceType: string
  readonly isSpot: boolean
  readonly isWindows: boolean
  /** Why its machines cannot be priced. */
  readonly unpriced?: string
}

export const templateAttributes = [
  'instance_type',
  'image_id',
  'instance_requirements',
  'instance_market_options.market_type',
  'placement.tenancy',
  'latest_version',
  'default_version',
]
export const configurationAttributes = ['instance_type', 'image_id', 'spot_price', 'placement_tenancy']

/** Returns the launch template to which one of these attributes refers; undefined if the plan does not contain it. */
export function launchTemplate(values: PlanValues, paths: readonly string[]): LaunchSettings | undefined {
  for (const path of paths) {
    const template = values.resource(path, ['aws_launch_template'])
    if (template !== undefined)
      return settingsOf(
        isInLatestVersion(values, path, template) ? template : (template.before() ?? template),
      )
  }
  return undefined
}

/** A template gets a new version when it changes. Machines that are pinned to a version stay as they were. */
function isInLatestVersion(values: PlanValues, path: string, template: PlanValues): boolean {
  const versionPath = path.replace(/[^.]+$/, 'version')
  const version = values.text(versionPath)
  if (values.isUnknown(versionPath) || version === '$Latest') return true
  const latest = template.number('latest_version')
  if (version !== '' && version !== '$Default') return Number(version) === latest
  return template.isUnknown('default_version') || template.number('default_version') === latest
}

function settingsOf(template: PlanValues): LaunchSettings {
  const why =
    dedicated(template.text('placement.tenancy')) ??
    capacityBlock(template.text('instance_market_options.market_type') === 'capacity-block') ??
    (template.length('instance_requirements') > 0 ? byRequirements : undefined) ??
    (template.isUnknown('instance_type')
      ? "the launch template's instance_type is known only after apply"
      : undefined)
  return {
    instanceType: template.text('instance_type'),
    isSpot: template.text('instance_market_options.market_type') === 'spot',
    isWindows: isWindowsImage(template, 'image_id'),
    ...(why === undefined ? {} : { unpriced: why }),
  }
}

export function launchConfiguration(values: PlanValues): LaunchSettings | undefined {
  const configuration = values.resource('launch_configuration', ['aws_launch_configuration'])
  if (configuration === undefined) return undefined
  const why = dedicated(configuration.text('placement_tenancy'))
  return {
    instanceType: configuration.text('instance_type'),
    isSpot: configuration.text('spot_price') !== '',
    isWindows: isWindowsImage(configuration, 'image_id'),
    ...(why === undefined ? {} : { unpriced: why }),
  }
}

/** The id of an image says nothing about its operating system, but a data source that has read the image does. */
export const isWindowsImage = (values: PlanValues, path: string): boolean =>
  values.resource(path, ['data.aws_ami'])?.text('platform') === 'windows'

export const byRequirements = 'instance_requirements leave the type to AWS when the machines start'
export const noTemplate = 'its machines come from a launch template that the plan does not contain'

export const dedicated = (tenancy: string): string | undefined =>
  tenancy === 'dedicated' || tenancy === 'host' ? `tenancy ${tenancy} has prices of its own` : undefined

export const capacityBlock = (isBlock: boolean): string | undefined =>
  isBlock ? 'capacity blocks have prices of their own' : undefined

export const localZone = (zone: string): string | undefined =>
  awsProvider.isLocalZone?.(zone) ? `the local zone ${zone} has prices of its own` : undefined

/** us-east-1a -> us-east-1; us-west-2-lax-1a -> us-west-2. */
export function awsRegionOf(values: PlanValues, zone: string): string {
  const fromZone = /^[a-z]+(?:-[a-z]+)+-\d+/.exec(zone)?.[0]
  const fromArn = values.text('arn').split(':')[3]
  return fromZone || values.text('region') || fromArn || values.providerSetting('region')
}
