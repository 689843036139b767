import { Suspense, useEffect, useRef, useState } from 'react'
import type { KeyRecord, Scope } from '../api/session.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { Mark } from '../parts/mark.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty, Progress } from '../parts/states.tsx'
import { DemoBanner } from '../session/demo-banner.tsx'
import { LoadingDemoBanner } from '../session/loading-demo-banner.tsx'
import { addressOf, go, usePlace } from '../state/router.ts'
import { AwayBanner } from './away-banner.tsx'
import { Bar } from './bar.tsx'
import { Faults } from './faults.tsx'
import { Menu } from './menu.tsx'
import { NotRenewedBanner } from './not-renewed-banner.tsx'
import { NothingToRead } from './nothing-to-read.tsx'
import { mayOpen, movedTo, type Page, pageAt, pages, windowTitle } from './pages.ts'
import { PeriodNotice } from './period-notice.tsx'
import { useRenewedRate } from './renewed-rate.ts'

/** The other pages are loaded this long after the first one, so that they open even while the service is away. */
const settledMs = 4000

/** Shows the menu, the bar, and the page at the current address. */
export function Frame({ record }: { record: KeyRecord }) {
  const { segments, params } = usePlace()
  const [open, setOpen] = useState(false)
  const rateChanges = useRenewedRate(record)
  const allowed = pages.filter((page) => mayOpen(page, record.scopes))
  const isHome = segments.length === 0
  const target = isHome ? homeOf(allowed, record.scopes) : movedTo(segments)
  const found = pageAt(segments)
  const choices = found !== undefined && allowed.includes(found.page) ? found.page.bar : undefined

  useEffect(() => {
    if (target !== undefined) go(addressOf(target, params), 'replace')
  }, [target, params])
  useEffect(() => {
    const rest = setTimeout(() => {
      for (const page of pages) if (mayOpen(page, record.scopes)) void page.fetch().catch(() => {})
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
        <Menu pages={allowed} current={found?.page} record={record} />
      </header>
      <div className="stage">
        <DemoBanner />
        <LoadingDemoBanner record={record} />
        <AwayBanner />
        <NotRenewedBanner />
        <Bar choices={choices} money={found?.page.money} />
        <main id="content" tabIndex={-1}>
          {choices?.includes('dates') && <PeriodNotice />}
          {target === undefined &&
            (isHome ? (
              <NothingToRead record={record} />
            ) : (
              <PageView key={rateChanges} page={found?.page} record={record} rest={found?.rest ?? []} />
            ))}
        </main>
      </div>
    </div>
  )
}

/** Returns the first page that the key may open; undefined for a key that may only send. */
function homeOf(allowed: readonly Page[], scopes: readonly Scope[]): string[] | undefined {
  return allowed.find(({ scope }) => scope !== 'any' && scopes.includes(scope))?.path.split('/')
}

function PageView({ page, record, rest }: { page: Page | undefined; record: KeyRecord; rest: string[] }) {
  const title = windowTitle(page, rest)
  const path = [page?.path, ...rest].join('/')
  const last = useRef(path)
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    // Screen readers announce a new page. The link that led here may be gone. After the first load the focus stays.
    if (last.current !== path) document.getElementById('content')?.focus({ preventScroll: true })
    last.current = path
  }, [path])
  if (page === undefined) {
    return (
      <>
        <PageHead title="Page not found" />
        <Empty icon="search" title="This page does not exist" text="Choose a page from the menu." />
      </>
    )
  }
  if (!mayOpen(page, record.scopes)) {
    return (
      <>
        <PageHead title={page.title} />
        <Empty
          icon="key"
          title="Not allowed with this key"
          text={`It needs the scope ${page.scope}. Ask an administrator of the service for a key that has it.`}
        />
      </>
    )
  }
  return (
    <Faults key={page.path}>
      <Suspense fallback={<Progress label={`Opening ${page.title}`} />}>
        <page.show rest={rest} />
      </Suspense>
    </Faults>
  )
}
