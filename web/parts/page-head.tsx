import type { ReactNode } from 'react'

export function PageHead({
  title,
  text,
  children,
}: {
  title: ReactNode
  text?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        {text !== undefined && <p className="lead">{text}</p>}
      </div>
      {children !== undefined && <div className="page-tools">{children}</div>}
    </div>
  )
}
