import { Suspense, useEffect, useRef, useState } from 'react'
import { Icon } from '../parts/icon.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Progress } from '../parts/states.tsx'
import { AwayBanner } from './away-banner.tsx'
import { Faults } from './faults.tsx'
import { Link } from './link.tsx'
import { Mark } from './mark.tsx'
import { type Page, pages } from './pages.ts'
import { addressOf, go, usePlace } from './router.ts'
import { type KeyRecord, session } from './session.ts'
import { ThemeChoice } from './theme-choice.tsx'

/** When the first page has had its turn, the others may be loaded. */
const settledMs = 500

/** The menu, and the page that the address names. */
export function Frame({ record }: { record: KeyRecord }) {
  const { segments } = usePlace()
  const [open, setOpen] = useState(false)
  const allowed = pages.filter(({ scope }) => record.scopes.includes(scope))
  const named = segments[0] ?? allowed[0]?.name
  const page = pages.find(({ name }) => name === named)

  useEffect(() => {
    if (segments.length === 0 && allowed[0] !== undefined) go(addressOf([allowed[0].name]), 'replace')
  }, [segments, allowed[0]])
  useEffect(() => {
    const rest = setTimeout(() => {
      for (const { scope, fetch } of pages) if (record.scopes.includes(scope)) void fetch().catch(() => {})
    }, settledMs)
    return () => clearTimeout(rest)
  }, [record])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the user goes somewhere
  useEffect(() => setOpen(false), [segments])

  return (
    <div className="frame">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="side" data-open={open}>
        <div className="side-top">
          <Link className="brand" href={addressOf([])}>
            <Mark size={28} />
            <span>Cheapside</span>
          </Link>
          <button
            type="button"
            className="button plain menu-button"
            aria-expanded={open}
            aria-controls="menu"
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'close' : 'menu'} /> Menu
          </button>
        </div>
        <div className="side-menu" id="menu">
          <nav aria-label="Pages">
            <ul>
              {allowed.map(({ name, title, icon }) => (
                <li key={name}>
                  <Link
                    className="side-link"
                    href={addressOf([name])}
                    aria-current={name === named ? 'page' : undefined}
                  >
                    <Icon name={icon} /> {title}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
          <div className="side-foot">
            <a className="side-link" href="/docs">
              <Icon name="plug" /> API
            </a>
            <ThemeChoice />
            <div className="who">
              <div>
                <b>{record.organisation}</b>
                <span>{record.name}</span>
              </div>
              <button
                type="button"
                className="button plain"
                onClick={() => session.end('left')}
                title="Sign out"
              >
                <Icon name="leave" />
                <span className="unseen">Sign out</span>
              </button>
            </div>
          </div>
        </div>
      </header>
      <div className="stage">
        <AwayBanner />
        <main id="content" tabIndex={-1}>
          <PageView page={page} record={record} rest={segments.slice(1)} />
        </main>
      </div>
    </div>
  )
}

function PageView({ page, record, rest }: { page: Page | undefined; record: KeyRecord; rest: string[] }) {
  const title = page?.title
  const first = useRef(true)
  useEffect(() => {
    document.title = title === undefined ? 'Cheapside' : `${title} · Cheapside`
    // Screen readers hear of a new page; at the start the focus stays where it is.
    if (!first.current) document.getElementById('content')?.focus({ preventScroll: true })
    first.current = false
  }, [title])
  if (record.scopes.length === 0 || page === undefined) {
    return (
      <>
        <PageHead title="Page not found" />
        <Empty icon="search" title="This page does not exist" text="Choose a page from the menu." />
      </>
    )
  }
  if (!record.scopes.includes(page.scope)) {
    return (
      <>
        <PageHead title={page.title} />
        <Empty
          icon="key"
          title="Not allowed with this key"
          text={`It needs the scope ${page.scope}. Ask whoever administers the service for a key that has it.`}
        />
      </>
    )
  }
  return (
    <Faults key={page.name}>
      <Suspense fallback={<Progress label={`Opening ${page.title}`} />}>
        <page.show rest={rest} />
      </Suspense>
    </Faults>
  )
}
