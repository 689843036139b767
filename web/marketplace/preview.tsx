import type { CsvImport } from '../../src/pricing/own-prices/marketplace-csv.ts'
import { count } from '../parts/figures.ts'
import { Notice } from '../parts/states.tsx'

const maxFaults = 50
const maxRows = 5
const shown = ['instance_type', 'region', 'cpu_cores', 'ram_gb', 'cost_per_hour'] as const

/** Shows what a file would register, or what is wrong with it, line by line. */
export function Preview({ checked }: { checked: CsvImport }) {
  const { bad, lines, calls, ignoredColumns } = checked
  return (
    <div className="preview" aria-live="polite">
      {bad.length > 0 ? (
        <>
          <Notice
            tone="danger"
            title={`${count(bad.length)} ${bad.length === 1 ? 'error' : 'errors'}: nothing would be registered`}
          >
            Correct the file and choose it again.
          </Notice>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <section className="faults" tabIndex={0} aria-label="Errors in the file">
            <table>
              <thead>
                <tr>
                  <th scope="col">Line</th>
                  <th scope="col">Column</th>
                  <th scope="col">Error</th>
                </tr>
              </thead>
              <tbody>
                {bad.slice(0, maxFaults).map(({ line, column, message }) => (
                  <tr key={`${line} ${column} ${message}`}>
                    <td>{line}</td>
                    <td>{column === '' ? '–' : <code>{column}</code>}</td>
                    <td>{message}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
          {bad.length > maxFaults && <p className="note">and {count(bad.length - maxFaults)} more</p>}
        </>
      ) : calls.length === 0 ? (
        <Notice tone="warning" title="The file contains no prices." />
      ) : (
        <>
          <Notice tone="good" title={`${count(lines)} prices, no errors`}>
            To be registered under {calls.map(({ name }) => `“${name}”`).join(', ')}.
          </Notice>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
          <section className="faults" tabIndex={0} aria-label="First prices of the file">
            <table>
              <thead>
                <tr>
                  {shown.map((member) => (
                    <th key={member} scope="col">
                      {member}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {calls[0]!.entries.slice(0, maxRows).map((entry) => (
                  <tr key={JSON.stringify(entry)}>
                    {shown.map((member) => (
                      <td key={member}>{String(entry[member])}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
      {ignoredColumns.length > 0 && <p className="note">Ignored columns: {ignoredColumns.join(', ')}</p>}
    </div>
  )
}
