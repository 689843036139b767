import { useQuery } from '@tanstack/react-query'
import { answer, service } from '../api/client.ts'
import { money } from '../parts/figures.ts'
import { Tile } from '../parts/tile.tsx'

/** What the current month will cost. */
export function ForecastTile({ cluster }: { cluster: string | undefined }) {
  const { data } = useQuery({
    queryKey: ['cost-forecast', cluster],
    queryFn: ({ signal }) => {
      const query = cluster === undefined ? {} : { cluster }
      return answer(service.GET('/v1/cost_forecast', { params: { query }, signal }))
    },
  })
  if (data === undefined) return null
  const { forecast_usd: forecast, low_usd: low, high_usd: high, so_far_usd: soFar } = data
  return (
    <Tile
      label="Forecast for this month"
      value={forecast === null ? '–' : money(forecast)}
      note={
        forecast === null
          ? data.text
          : `${money(low)} to ${money(high)} with a chance of 80%; ${money(soFar)} so far`
      }
    />
  )
}
