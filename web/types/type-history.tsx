import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answer, service } from '../api/client.ts'
import type { TypeDetails } from '../compare/comparison.ts'
import { Moves } from '../compare/history-dialog.tsx'
import { Segmented } from '../parts/inputs/inputs.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { usePlace } from '../state/router.ts'

const dayMs = 86_400_000
const periods = [
  ['90', '90 days'],
  ['365', 'A year'],
] as const

/** Shows how the price changed in one region. */
export function TypeHistory({ of }: { of: TypeDetails }) {
  const { params } = usePlace()
  const [days, setDays] = useState<(typeof periods)[number][0]>('90')
  const region = of.equivalents?.region ?? of.regions[0] ?? ''
  const os = params.get('os') ?? 'Linux'
  const asked = useQuery({
    queryKey: ['price-history', of.provider_key, of.instance_type, region, os, days],
    queryFn: ({ signal }) => {
      const start_date = new Date(Date.now() - Number(days) * dayMs).toISOString()
      const query = {
        provider: of.provider_key,
        region,
        instance_type: of.instance_type,
        operating_system: os,
        start_date,
      }
      return answer(service.GET('/pricing/history', { params: { query }, signal }))
    },
    enabled: region !== '',
  })
  return (
    <section className="card type-history" aria-labelledby="history-title">
      <div className="card-head">
        <h2 id="history-title">Price history in {region}</h2>
        <Segmented
          label="Period"
          name="type-history-days"
          options={periods}
          value={days}
          onChange={setDays}
        />
      </div>
      <div className="history">
        {asked.isPending && <Skeleton lines={5} label="Loading prices" />}
        {asked.error !== null && <Trouble error={asked.error} again={() => void asked.refetch()} />}
        {asked.data !== undefined && <Moves history={asked.data} paid="ONDEMAND" />}
      </div>
    </section>
  )
}
