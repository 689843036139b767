import { useQuery } from '@tanstack/react-query'
import { catalogueQuery } from '../api/catalogue-query.ts'
import { answer, service } from '../api/client.ts'
import { ago, count, counted, moment } from '../parts/figures.ts'
import { Link } from '../parts/link.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { addressOf } from '../state/router.ts'
import { CurrencyChoice } from './currency.tsx'
import { RefreshPrices } from './refresh.tsx'

/** Shows the currency and the age of prices, and how they are refreshed. */
export function PriceSettings({ mayRefresh }: { mayRefresh: boolean }) {
  const catalogue = useQuery(catalogueQuery)
  const settings = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => answer(service.GET('/v1/settings', { signal })),
  })
  const data = catalogue.data
  const hours = settings.data?.price_refresh_hours
  const failed = data?.providers.filter(
    ({ refresh }) => refresh?.outcome === 'failed' || refresh?.outcome === 'refused',
  )
  return (
    <section className="card setting" aria-labelledby="prices-title">
      <div className="card-head">
        <h2 id="prices-title">Prices</h2>
        <Link className="button" href={addressOf(['prices', 'catalogue'])}>
          Sources and age
        </Link>
      </div>
      {catalogue.isPending && <Skeleton lines={3} label="Loading prices" />}
      {catalogue.error !== null && <Trouble error={catalogue.error} again={() => void catalogue.refetch()} />}
      {data !== undefined && (
        <dl className="facts">
          <div>
            <dt>Currency</dt>
            <dd>
              <CurrencyChoice exchange={data.exchange} />
            </dd>
          </div>
          <div>
            <dt>Catalogue</dt>
            <dd title={moment(data.built_at)}>
              {count(data.offers)} prices of {counted(data.providers.length, 'provider')}, built{' '}
              {ago(data.built_at, Date.now())}
            </dd>
          </div>
          {hours !== undefined && (
            <div>
              <dt>Refresh</dt>
              <dd>
                {hours === 0
                  ? 'off; the operator can enable it with CHEAPSIDE_REFRESH_HOURS'
                  : `every ${counted(hours, 'hour')}`}
                {failed !== undefined &&
                  failed.length > 0 &&
                  `; last failed for ${failed.map(({ provider }) => provider).join(', ')}`}
              </dd>
            </div>
          )}
          <div>
            <dt>Your prices</dt>
            <dd>
              <Link href={addressOf(['prices', 'yours'])}>Prices of your own</Link> take precedence over list
              prices.
            </dd>
          </div>
        </dl>
      )}
      {mayRefresh && <RefreshPrices />}
    </section>
  )
}
