import type { KeyRecord } from '../api/session.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../parts/link.tsx'
import { signOut } from '../session/session-requests.ts'
import { addressOf, usePlace } from '../state/router.ts'
import { barParams } from '../usage/period.ts'
import type { Page } from './pages.ts'
import { ThemeChoice } from './theme-choice.tsx'

/** Lists the pages that the key may open, in order. Pages of a group are shown together under its name. */
export function Menu({
  pages,
  current,
  record,
}: {
  pages: readonly Page[]
  current: Page | undefined
  record: KeyRecord
}) {
  const { params } = usePlace()
  const kept = barParams(params)
  const link = ({ path, title, icon, bar, group, fetch }: Page) => (
    <li key={path}>
      <Link
        className={group === undefined ? 'side-link' : 'side-link inner'}
        href={addressOf(path.split('/'), bar === undefined ? undefined : kept)}
        aria-current={path === current?.path ? 'page' : undefined}
        onPointerEnter={() => void fetch().catch(() => {})}
        onFocus={() => void fetch().catch(() => {})}
      >
        <Icon name={icon} /> {title}
      </Link>
    </li>
  )
  return (
    <div className="side-menu" id="menu">
      <nav aria-label="Pages">
        <ul>
          {grouped(pages).map(([group, of]) =>
            group === undefined ? (
              of.map(link)
            ) : (
              <li key={group}>
                <span className="side-group" id={`group-${group}`}>
                  {group}
                </span>
                <ul aria-labelledby={`group-${group}`}>{of.map(link)}</ul>
              </li>
            ),
          )}
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
          <button type="button" className="button plain" onClick={signOut} title="Sign out">
            <Icon name="leave" />
            <span className="visually-hidden">Sign out</span>
          </button>
        </div>
      </div>
    </div>
  )
}

/** Groups adjacent pages of the same group. */
function grouped(pages: readonly Page[]): [Page['group'], Page[]][] {
  const groups: [Page['group'], Page[]][] = []
  for (const page of pages) {
    const last = groups.at(-1)
    if (last !== undefined && last[0] === page.group) last[1].push(page)
    else groups.push([page.group, [page]])
  }
  return groups
}
