/** The comments of one pull request or merge request. */
export interface PullRequest {
  /** Page by page, as far as the caller reads. */
  comments(): AsyncIterable<{ readonly id: number; readonly body: string }>
  create(body: string): Promise<void>
  /** False where the comment is gone or belongs to somebody else. */
  update(id: number, body: string): Promise<boolean>
  /** The longest body that the service takes, in characters. */
  readonly mostCharacters: number
}

/** The token may not comment, as on pull requests from forks. */
export class MayNotComment extends Error {
  override readonly name = 'MayNotComment'
}

/** Writes the one comment that begins with the mark: updates it where it is, else creates it. */
export async function putComment(pullRequest: PullRequest, mark: string, text: string): Promise<void> {
  const body = `${mark}\n${text}`
  for await (const comment of pullRequest.comments()) {
    if (!comment.body.startsWith(mark)) continue
    if (await pullRequest.update(comment.id, body)) return
  }
  await pullRequest.create(body)
}

/** Invisible in Markdown. Jobs with different tags keep comments of their own. */
export const markOf = (tag: string): string => `<!-- cheapside-review ${tag.replace(/[^\w.-]/g, '-')} -->`
