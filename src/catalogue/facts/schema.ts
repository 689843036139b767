import Type from 'typebox'
import { changeNames } from '../../domain/machine-description.ts'
import { acceleratorKinds, generations, speedBases, vcpuKinds } from '../../domain/machine-facts.ts'
import { integer, nullable, number, optional, string, type View } from '../../domain/schema.ts'

/** Facts about a machine other than its price. */
export type MachineDescription = View<typeof MachineDescription>
export const MachineDescription = Type.Object({
  accelerator_kind: nullable(Type.Enum([...acceleratorKinds])),
  vcpu_kind: nullable(Type.Enum([...vcpuKinds])),
  kinds: Type.Array(Type.String(), { description: 'Special kinds, such as bare-metal or storage-optimised' }),
  generation: Type.Enum([...generations]),
  ends_on: nullable(string('Day on which the provider retires the type')),
  speed: nullable(
    Type.Object({
      coremark_per_vcpu: integer('CoreMark iterations a second'),
      basis: Type.Enum([...speedBases]),
      borrowed_from: nullable(Type.String()),
    }),
  ),
  processor: nullable(string('As the guest sees it')),
  local_disk: nullable(
    Type.Object({ gib: nullable(Type.Number()), kind: Type.String(), is_root: Type.Boolean() }),
  ),
  network: nullable(
    Type.Object({ baseline_gbps: nullable(Type.Number()), max_gbps: nullable(Type.Number()) }),
  ),
  spot_interruption: nullable(
    Type.Object({
      band: string('Share of spot instances that are interrupted in a month'),
      as_of: Type.String(),
    }),
  ),
  carbon: nullable(
    Type.Object({
      grams_co2e_per_hour: number(
        'For running at half load, without cooling and without manufacturing of the server',
      ),
      low: Type.Number(),
      high: Type.Number(),
      method: Type.String(),
      grid: Type.String(),
      grid_year: nullable(Type.Integer()),
    }),
  ),
  changes: optional(
    Type.Array(Type.Enum([...changeNames]), { description: 'Differences from the current instance' }),
  ),
  performance: optional(
    nullable(
      Type.Object(
        {
          ratio: Type.Number(),
          low: Type.Number(),
          high: Type.Number(),
          basis: Type.Enum([...speedBases]),
        },
        {
          description:
            'Speed of a vCPU relative to one of the current instance; burstable vCPUs count at their baseline',
        },
      ),
    ),
  ),
})
