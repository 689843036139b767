import { useEffect, useState } from 'react'
import '../styles/settings.css'
import { demo } from '../api/demo.ts'
import { type Scope, session } from '../api/session.ts'
import { LoadDemo } from '../overview/load-demo.tsx'
import { CopyText } from '../parts/copy.tsx'
import { counted } from '../parts/figures.ts'
import { glossary } from '../parts/glossary.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { addressOf, usePlace } from '../state/router.ts'
import { useSignal } from '../state/signal.ts'
import { TryIt } from './try-it.tsx'

/** Shows guides, the glossary, and the API. */
export default function HelpPage() {
  const term = usePlace().params.get('term')
  // The finder leads to a term.
  useEffect(() => {
    if (term !== null) document.getElementById('glossary-title')?.scrollIntoView()
  }, [term])
  return (
    <>
      <PageHead title="Help" text="Guides, a glossary, and the API to try out." />
      <Guides />
      <Glossary key={term} />
      <TryIt />
    </>
  )
}

function Guides() {
  const isDemo = useSignal(demo.key) !== undefined
  return (
    <section aria-labelledby="guides-title">
      <h2 className="section-title" id="guides-title">
        Guides
      </h2>
      <div className="help-grid">
        <section className="card">
          <h3>Send usage of a cluster</h3>
          <p className="note">
            Prometheus or a compatible agent pushes it with a key that has the scope usage:write. Or import
            the last month:
          </p>
          <CopyText text="cheapside collect --from http://prometheus:9090 --cluster my-cluster" wrapped />
          <PageLink path="workloads" scope="gateway:read">
            See workloads
          </PageLink>
        </section>
        <section className="card">
          <h3>Measure machines</h3>
          <p className="note">A small agent on a Linux host measures its processes.</p>
          <CopyText text={`cheapside agent --to ${location.origin} --key-file /etc/cheapside/key`} wrapped />
          <PageLink path="machines" scope="gateway:read">
            See machines
          </PageLink>
        </section>
        <section className="card">
          <h3>Find a cheaper machine</h3>
          <p className="note">By type or size and actual usage; options are in order of effort.</p>
          <CopyText text="cheapside recommend --provider aws --region us-east-1 --type m5.xlarge" wrapped />
          <PageLink path="prices/compare" scope="pricing:read">
            Compare
          </PageLink>
        </section>
        <section className="card">
          <h3>Review a plan before it is applied</h3>
          <p className="note">In a pipeline, or by dropping the plan into the console.</p>
          <CopyText text="terraform show -json plan.out > plan.json && cheapside review plan.json" wrapped />
          <PageLink path="reviews" scope="pricing:read">
            Review a plan
          </PageLink>
        </section>
        {!isDemo && (
          <section className="card">
            <h3>Look around with demo data</h3>
            <LoadDemo />
          </section>
        )}
      </div>
    </section>
  )
}

/** Shown only if the key may open the page. */
function PageLink({ path, scope, children }: { path: string; scope: Scope; children: string }) {
  const { record } = useSignal(session.state)
  if (record === undefined || !record.scopes.includes(scope)) return null
  return <Link href={addressOf(path.split('/'))}>{children}</Link>
}

/** The same texts as in tooltips. */
function Glossary() {
  const { params } = usePlace()
  const [text, setText] = useState(params.get('term') ?? '')
  const wanted = text.trim().toLowerCase()
  const found = [...glossary]
    .filter(([term, meaning]) => `${term} ${meaning}`.toLowerCase().includes(wanted))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return (
    <section className="card help-glossary" aria-labelledby="glossary-title">
      <div className="card-head">
        <h2 id="glossary-title">Glossary</h2>
        <label className="search">
          <Icon name="search" size={16} />
          <span className="visually-hidden">Find a term</span>
          <input
            type="search"
            placeholder="Find a term"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
      </div>
      <p className="note" aria-live="polite">
        {counted(found.length, 'term')}
      </p>
      <dl className="glossary">
        {found.map(([term, meaning]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
