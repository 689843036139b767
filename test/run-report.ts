import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { missingPackages } from './peers/packages.ts'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const addCounts = (one: Counts, other: Counts): Counts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
})

export const describeCounts = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`

/** The JSON report of vitest, as far as it is read here. */
interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly numPendingTests: number
  readonly numTodoTests: number
  readonly numFailedTestSuites: number
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** Undefined if the run broke before it wrote its report. */
export function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    return undefined
  }
}

/** A file that could not be loaded has no failed test, but counts as one. */
export function countTests(report: Report | undefined): Counts {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 }
  return {
    passed: report.numPassedTests,
    failed: Math.max(report.numFailedTests, report.numFailedTestSuites > 0 ? 1 : 0),
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** For each file, so that the end of a run can be read. */
const mostNamed = 5

/** The names of skipped tests, one line for each file. */
export function skippedTests({ testResults }: Report, root: string): string[] {
  return testResults.flatMap(({ name, assertionResults }) => {
    const skipped = assertionResults.filter(({ status }) => status !== 'passed' && status !== 'failed')
    if (skipped.length === 0) return []
    const names = skipped.slice(0, mostNamed).map(({ fullName }) => fullName.trim())
    const more = skipped.length > mostNamed ? [`and ${skipped.length - mostNamed} more`] : []
    return [`${relative(root, name)}: ${[...names, ...more].join('; ')}`]
  })
}

/** How to get what skipped tests need. */
export function installationHint(): string {
  const missing = missingPackages()
  if (process.platform !== 'linux')
    return 'Skipped tests need Linux or a program that is not installed; all of them run on Debian with .ci/run'
  if (missing.length === 0) return 'Skipped tests need privileges that this user does not have'
  return `To run them on Debian: apt-get install ${missing.join(' ')} (.ci/run does it)`
}
