import Type from 'typebox'
import { nullable, type View } from '../domain/schema.ts'

/** A sender of usage: a cluster, or the agent of a machine. */
export type UsageSource = View<typeof UsageSource>
export const UsageSource = Type.Object({
  kind: Type.Enum(['cluster', 'machine']),
  name: Type.String(),
  last_seen: Type.String({
    format: 'date-time',
    description: 'Start of the hour of the last sample',
  }),
  is_silent: Type.Boolean({ description: 'No sample in this hour and in the previous one' }),
  first_sample: Type.String({
    format: 'date-time',
    description: 'Start of the hour of the first sample',
  }),
  last_sample: nullable(Type.String({ format: 'date-time', description: 'At most a minute or so behind' })),
  interval_seconds: nullable(Type.Number({ description: 'Between samples of CPU usage' })),
  metrics: Type.Array(
    Type.Object({
      name: Type.String(),
      last_sample: Type.String({ format: 'date-time' }),
      interval_seconds: nullable(Type.Number()),
    }),
    { description: 'The metrics that were received; empty if an earlier release received them' },
  ),
  missing: Type.Array(
    Type.Object({
      metrics: Type.Array(Type.String(), { description: 'One of them is enough' }),
      unlocks: Type.String({ description: 'What the metric would make possible' }),
      is_optional: Type.Boolean({ description: 'The cluster may have nothing that the metric is about' }),
    }),
  ),
  problems: Type.Array(
    Type.Object({
      code: Type.Enum([
        'essential-metric-missing',
        'no-cluster-label',
        'clock-ahead',
        'duplicate-senders',
        'long-interval',
        'metric-stopped',
      ]),
      message: Type.String(),
    }),
  ),
})
