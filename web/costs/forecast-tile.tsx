import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import type { paths } from '../api/schema.ts'
import { money } from '../parts/figures.ts'
import { Tile } from '../parts/tile.tsx'

export type Forecast = paths['/v1/cost_forecast']['get']['responses'][200]['content']['application/json']

interface Scope {
  readonly cluster: string | undefined
  readonly namespace: string | undefined
}

/** Loads the forecast of the current month, if it is known for what is shown. */
export function useForecast({ cluster, namespace }: Scope, enabled: boolean): Forecast | undefined {
  const { data } = useQuery({
    queryKey: ['cost-forecast', cluster, namespace],
    queryFn: ({ signal }) => {
      const query = {
        ...(cluster === undefined ? {} : { cluster }),
        ...(namespace === undefined ? {} : { namespace }),
      }
      return answer(service.GET('/v1/cost_forecast', { params: { query }, signal }))
    },
    enabled,
  })
  return enabled ? data : undefined
}

/** What the current month will cost. */
export function ForecastTile({ of }: { of: Forecast }) {
  const { forecast_usd: forecast, low_usd: low, high_usd: high, so_far_usd: soFar } = of
  return (
    <Tile
      label="Forecast for this month"
      value={forecast === null ? '–' : money(forecast)}
      note={
        forecast === null
          ? of.text
          : `the calendar month: ${money(soFar)} so far, and what the trend adds; ${money(low)} to ${money(high)} with a chance of 80%`
      }
    />
  )
}
