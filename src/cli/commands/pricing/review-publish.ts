import { setTimeout as wait } from 'node:timers/promises'
import type { NamedDocument } from '../../../pricing/terraform/review/review-plan.ts'
import type { Review } from '../../../pricing/terraform/review/schema.ts'
import { type Call, UsageError } from '../../command.ts'
import { renderReviewMarkdown } from '../../render/review.ts'
import { shownAmounts, shownRate } from '../../render/table.ts'

/** Publishes a review in places other than standard output. Its options are checked before any plan is read. */
interface Publisher {
  publish(review: Review, documents: readonly NamedDocument[], reasons: readonly string[]): Promise<void>
}

export function publisherOf(call: Call): Publisher {
  const service = call.text('comment')
  const ci = call.text('ci')
  if (ci !== undefined && ci !== 'github') throw new UsageError('--ci must be github')
  return {
    async publish(review, documents, reasons) {
      if (ci !== undefined) await writeJob(call, review, documents, reasons)
      if (service !== undefined) await comment(call, service, review, reasons)
    },
  }
}

async function writeJob(
  call: Call,
  review: Review,
  documents: readonly NamedDocument[],
  reasons: readonly string[],
): Promise<void> {
  const { annotations, writeJobFiles } = await import('../../pull-request/workflow.ts')
  const { Declarations } = await import('../../pull-request/declarations.ts')
  // The limit of GitHub for a summary is 1 MiB.
  writeJobFiles(call.environment, review, markdownOf(review, reasons, 900_000), reasons)
  const byName = new Map(documents.map(({ name, document }) => [name, document]))
  const declarations = new Declarations(call.text('source') ?? '.')
  // GitHub Actions also executes workflow commands from standard error, so standard output contains only the review.
  for (const line of annotations(review, byName, declarations)) call.err(line)
}

async function comment(call: Call, service: string, review: Review, reasons: readonly string[]) {
  const { MayNotComment, markOf, putComment } = await import('../../pull-request/api.ts')
  const { githubPullRequest, gitlabMergeRequest } = await import('../../pull-request/github.ts')
  const open = service === 'github' ? githubPullRequest : gitlabMergeRequest
  const pullRequest = open(call.environment, { wait: (ms) => wait(ms), now: Date.now })
  if (pullRequest === undefined) {
    call.err('cheapside review: this pipeline does not run for a pull request, so no comment was written')
    return
  }
  const mark = markOf(call.text('comment-tag') ?? 'default')
  try {
    await putComment(
      pullRequest,
      mark,
      markdownOf(review, reasons, pullRequest.maxCharacters - mark.length - 1),
    )
  } catch (error) {
    if (!(error instanceof MayNotComment)) throw error
    call.err(
      `cheapside review: no comment was written, because the token may not write one (as on pull requests from forks): ${error.message}`,
    )
  }
}

function markdownOf(review: Review, reasons: readonly string[], maxCharacters: number): string {
  const held =
    reasons.length === 0 ? '' : `\n${reasons.map((reason) => `- **Check failed**: ${reason}`).join('\n')}\n`
  const rate = shownRate().map((text) => `\n${text}\n`)
  const rest = [held, ...rate].join('')
  return shownAmounts(renderReviewMarkdown(review, maxCharacters - rest.length) + rest)
}
