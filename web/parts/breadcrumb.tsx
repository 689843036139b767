import { Link } from './link.tsx'

export interface Crumb {
  readonly name: string
  /** Absent for the current page. */
  readonly href?: string | undefined
}

/** Shows the path from the list to the current page. */
export function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="breadcrumb">
      <ol>
        {crumbs.map(({ name, href }) => (
          <li key={`${href ?? ''} ${name}`}>
            {href === undefined ? (
              <span aria-current="page" title={name}>
                {name}
              </span>
            ) : (
              <Link href={href} title={name}>
                {name}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
