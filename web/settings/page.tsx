import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { answer, service } from '../api/client.ts'
import { demoOrganisation } from '../api/demo.ts'
import { type KeyRecord, session } from '../api/session.ts'
import { Link } from '../parts/link.tsx'
import { addressOf, usePlace } from '../state/router.ts'
import { useSignal } from '../state/signal.ts'
import '../styles/settings.css'
import { Badge } from '../parts/badge.tsx'
import { ago, counted, day, moment } from '../parts/figures.ts'
import { PageHead } from '../parts/page-head.tsx'
import { Skeleton, Trouble } from '../parts/states.tsx'
import { BillUpload } from './bill.tsx'
import { CommitmentRecommendations } from './commitment-recommendations.tsx'
import { Commitments } from './commitments.tsx'
import { CostSharing } from './cost-sharing.tsx'
import { PriceRules } from './price-rules.tsx'
import { PriceSettings } from './prices.tsx'
import { ProfileSettings } from './profile.tsx'
import { Sources } from './sources.tsx'

/** Shows the settings of this organisation, its sources of usage, and the configuration of the service. */
export default function SettingsPage() {
  const record = useSignal(session.state).record
  const { params } = usePlace()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the finder may lead to another setting
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), [params])
  if (record === undefined) return null
  const may = (scope: KeyRecord['scopes'][number]) => record.scopes.includes(scope)
  return (
    <>
      <PageHead title="Settings" text={`Organisation: ${record.organisation}`} />
      {record.organisation === demoOrganisation && !may('marketplace:write') && (
        <p className="note">
          The key of the demo can try things but not set them: recommendation on commitments and learning from
          a bill work here, and saving needs{' '}
          <code>cheapside keys issue --organisation {demoOrganisation}</code> with more scopes.
        </p>
      )}
      {may('gateway:read') && <Sources />}
      {may('gateway:read') && <ProfileSettings organisation={record.organisation} mayChange={may('admin')} />}
      {may('pricing:read') && <PriceRules mayChange={may('marketplace:write')} />}
      {may('pricing:read') && <BillUpload mayChange={may('marketplace:write')} />}
      {may('pricing:read') && <Commitments mayChange={may('marketplace:write')} />}
      {may('gateway:read') && <CommitmentRecommendations />}
      {may('gateway:read') && <CostSharing organisation={record.organisation} mayChange={may('admin')} />}
      {may('pricing:read') && <PriceSettings mayRefresh={may('admin')} />}
      <Service />
      <OwnKey of={record} isAdmin={may('admin')} />
    </>
  )
}

function Service() {
  const asked = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => answer(service.GET('/v1/settings', { signal })),
  })
  return (
    <section className="card setting" aria-labelledby="service-title">
      <h2 id="service-title">Service</h2>
      {asked.isPending && <Skeleton lines={3} label="Loading settings" />}
      {asked.error !== null && <Trouble error={asked.error} again={() => void asked.refetch()} />}
      {asked.data !== undefined && (
        <dl className="facts">
          <div>
            <dt>Retention</dt>
            <dd>Usage is kept for {counted(asked.data.retention_days, 'day')}</dd>
          </div>
          <div>
            <dt>Labels kept for costs</dt>
            <dd>{asked.data.cost_labels.join(', ') || 'none'}</dd>
          </div>
          <div>
            <dt>Version</dt>
            <dd>{asked.data.version}</dd>
          </div>
        </dl>
      )}
      <p className="note">The operator of the service sets these.</p>
    </section>
  )
}

function OwnKey({ of, isAdmin }: { of: KeyRecord; isAdmin: boolean }) {
  return (
    <section className="card setting" aria-labelledby="key-title">
      <div className="card-head">
        <h2 id="key-title">Keys</h2>
        {isAdmin && (
          <Link className="button" href={addressOf(['settings', 'keys'])}>
            Manage keys
          </Link>
        )}
      </div>
      <dl className="facts">
        <div>
          <dt>You use</dt>
          <dd>
            {of.name} <code>{of.id}</code>
          </dd>
        </div>
        <div>
          <dt>It may</dt>
          <dd className="badges">
            {of.scopes.map((scope) => (
              <Badge key={scope}>{scope}</Badge>
            ))}
          </dd>
        </div>
        <div>
          <dt>Issued</dt>
          <dd title={moment(of.created_at)}>{ago(of.created_at, Date.now())}</dd>
        </div>
        <div>
          <dt>Expires</dt>
          <dd>{of.expires_at === null ? 'never' : day(of.expires_at)}</dd>
        </div>
      </dl>
      {!isAdmin && <p className="note">Administrators of the service issue and revoke keys.</p>}
    </section>
  )
}
