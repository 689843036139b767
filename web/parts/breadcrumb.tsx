import { Link } from '../app/link.tsx'

export interface Crumb {
  readonly name: string
  /** Absent: where the user is. */
  readonly href?: string | undefined
}

/** The way from the list to what is shown. */
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
