import type { KeyRecord } from '../api/session.ts'
import { CopyText } from '../parts/copy.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Empty } from '../parts/states.tsx'

/** The first page for a key that may send but not read. */
export function NothingToRead({ record }: { record: KeyRecord }) {
  const can = record.scopes.includes('usage:write')
    ? 'It sends usage from Prometheus or from agents'
    : 'It has no scope for reading'
  return (
    <>
      <PageHead title="This key cannot read" />
      <Empty
        icon="key"
        title={`The key “${record.name}” is not for the console`}
        text={`${can}. The console needs a key of the organisation ${record.organisation} with the scope gateway:read (costs and sizes) or pricing:read (prices). The operator of the service issues one:`}
      >
        <CopyText
          wrapped
          text={`cheapside keys issue --organisation ${record.organisation} --name console --scope pricing:read --scope gateway:read`}
        />
      </Empty>
    </>
  )
}
