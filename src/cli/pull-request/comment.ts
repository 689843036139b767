/** The comments of one pull request or merge request. */
export interface PullRequest {
  /** Pages are fetched only as far as the caller reads. */
  comments(): AsyncIterable<{ readonly id: number; readonly body: string }>
  create(body: string): Promise<void>
  /** Resolves to false if the comment is gone or belongs to somebody else. */
  update(id: number, body: string): Promise<boolean>
  /** The longest body that the service accepts, in characters. */
  readonly maxCharacters: number
}

/** The token may not comment, as on pull requests from forks. */
export class MayNotComment extends Error {
  override readonly name = 'MayNotComment'
}

/** Updates the comment that begins with the mark, or creates it if there is none. */
export async function putComment(pullRequest: PullRequest, mark: string, text: string): Promise<void> {
  const body = `${mark}\n${text}`
  for await (const comment of pullRequest.comments()) {
    if (!comment.body.startsWith(mark)) continue
    if (await pullRequest.update(comment.id, body)) return
  }
  await pullRequest.create(body)
}

/** A line that is invisible in Markdown. Jobs with different tags have separate comments. */
export const markOf = (tag: string): string => `<!-- cheapside-review ${tag.replace(/[^\w.-]/g, '-')} -->`
