import Type from 'typebox'
import { boolean, nullable, number, string, type View } from '../domain/schema.ts'

/** A sender of usage: a cluster, or the agent of a machine. */
export type UsageSource = View<typeof UsageSource>
export const UsageSource = Type.Object({
  kind: Type.Enum(['cluster', 'machine']),
  name: Type.String(),
  last_seen: string('Start of the hour of the last sample', { format: 'date-time' }),
  is_silent: boolean('No sample in this hour and in the previous one'),
  first_sample: string('Start of the hour of the first sample', { format: 'date-time' }),
  last_sample: nullable(string('At most a minute or so behind', { format: 'date-time' })),
  interval_seconds: nullable(number('Between samples of CPU usage')),
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
      unlocks: string('What the metric would make possible'),
      is_optional: boolean('The cluster may have nothing that the metric is about'),
    }),
  ),
  problems: Type.Array(
    Type.Object({
      code: Type.Enum([
        'essential-metric-missing',
        'no-cluster-label',
        'clock-ahead',
        'late-samples',
        'duplicate-senders',
        'long-interval',
        'metric-stopped',
      ]),
      message: Type.String(),
    }),
  ),
})
