import { cores, gib, hourly } from '../parts/figures.ts'
import { Empty, Progress, Trouble } from '../parts/states.tsx'
import type { Change } from './change.ts'
import { useExamples } from './queries.ts'

/** Examples to start with: a common machine of each provider. */
export function Examples({ onChange }: { onChange: Change }) {
  const { data = [], isPending, error, refetch } = useExamples(true)
  return (
    <Empty
      icon="scales"
      title="Which machine do you have today?"
      text="Enter its type or its size to see what costs less, or start with an example:"
    >
      {isPending && <Progress label="Loading examples" />}
      {error !== null && <Trouble error={error} again={() => void refetch()} />}
      <ul className="examples">
        {data.map((type) => (
          <li key={type.provider_key}>
            <button
              type="button"
              onClick={() =>
                onChange({
                  provider: type.provider_key,
                  type: type.instance_type,
                  os: 'Linux',
                  paid: 'ONDEMAND',
                })
              }
            >
              <b>{type.instance_type}</b>
              <span>{type.provider}</span>
              <span>
                {cores(type.cpu_cores)}, {gib(type.ram_gb)}
              </span>
              <span>from {hourly(type.cost_per_hour_from)}/h</span>
            </button>
          </li>
        ))}
      </ul>
    </Empty>
  )
}
