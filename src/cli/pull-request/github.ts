import { readFileSync } from 'node:fs'
import { CommandFailure, UsageError } from '../command.ts'
import { Api, type ApiOptions, MayNotComment, type PullRequest } from './api.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The pull request that a workflow of GitHub Actions runs for; undefined if it runs for none. */
export function githubPullRequest(
  environment: Environment,
  time: Pick<ApiOptions, 'wait' | 'now'>,
): PullRequest | undefined {
  const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository } = environment
  if (!token) throw new UsageError('--comment github needs a token in GITHUB_TOKEN')
  if (!repository || !/^[\w.-]+\/[\w.-]+$/.test(repository))
    throw new UsageError('--comment github needs GITHUB_REPOSITORY, as in owner/name')
  const number = numberIn(environment)
  if (number === undefined) return undefined
  const api = new Api({
    ...time,
    base: (environment.GITHUB_API_URL || 'https://api.github.com').replace(/\/+$/, ''),
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': 'cheapside',
    },
  })
  const comments = `/repos/${repository}/issues/${number}/comments`
  return {
    maxCharacters: 65_536,
    comments: () => ownComments(api.pages(`${comments}?per_page=100`), token),
    async create(body) {
      const response = await api.send('POST', comments, { body })
      if (response.status === 403 || response.status === 404)
        throw new MayNotComment((await api.failure(response)).message)
      if (!response.ok) throw await api.failure(response)
      await response.body?.cancel()
    },
    async update(id, body) {
      const response = await api.send('PATCH', `/repos/${repository}/issues/comments/${id}`, { body })
      if (!response.ok && ![403, 404, 410].includes(response.status)) throw await api.failure(response)
      await response.body?.cancel()
      return response.ok
    },
  }
}

interface Comment {
  readonly id: number
  readonly body: string
  readonly user?: { readonly type?: string } | null
}

/** Tokens of workflows and apps may change comments of people too, whose authors could change them again: never taken. */
async function* ownComments(comments: AsyncIterable<Comment>, token: string): AsyncGenerator<Comment> {
  const isOfApp = token.startsWith('ghs_')
  for await (const comment of comments) if (!isOfApp || comment.user?.type !== 'User') yield comment
}

/** Reads the number from the event that started the workflow, otherwise from the ref: refs/pull/12/merge. */
function numberIn({ GITHUB_EVENT_PATH: file, GITHUB_REF: ref }: Environment): number | undefined {
  const event = file ? eventIn(file) : {}
  const isOfIssue = event.issue?.pull_request !== undefined
  const number = event.pull_request?.number ?? (isOfIssue ? event.issue?.number : undefined)
  return number ?? (Number(/^refs\/pull\/(\d+)\//.exec(ref ?? '')?.[1]) || undefined)
}

function eventIn(file: string): GithubEvent {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as GithubEvent
  } catch (error) {
    throw new CommandFailure(`GITHUB_EVENT_PATH cannot be read: ${(error as Error).message}`)
  }
}

interface GithubEvent {
  readonly pull_request?: { readonly number?: number }
  readonly issue?: { readonly number?: number; readonly pull_request?: unknown }
}

/** The merge request that a GitLab pipeline runs for; undefined if it runs for none. */
export function gitlabMergeRequest(
  environment: Readonly<Record<string, string | undefined>>,
  time: Pick<ApiOptions, 'wait' | 'now'>,
): PullRequest | undefined {
  const { GITLAB_TOKEN: token, CI_PROJECT_ID: project, CI_MERGE_REQUEST_IID: iid } = environment
  if (!token)
    throw new UsageError(
      '--comment gitlab needs a token with the scope api in GITLAB_TOKEN; the job token may not write notes',
    )
  if (!project) throw new UsageError('--comment gitlab needs CI_PROJECT_ID')
  if (!iid) return undefined
  const api = new Api({
    ...time,
    base: (environment.CI_API_V4_URL || 'https://gitlab.com/api/v4').replace(/\/+$/, ''),
    headers: { 'private-token': token, 'user-agent': 'cheapside' },
  })
  const notes = `/projects/${encodeURIComponent(project)}/merge_requests/${encodeURIComponent(iid)}/notes`
  return {
    maxCharacters: 1_000_000,
    comments: () => api.pages(`${notes}?per_page=100&order_by=created_at&sort=asc`),
    async create(body) {
      const response = await api.send('POST', notes, { body })
      if ([401, 403, 404].includes(response.status))
        throw new MayNotComment((await api.failure(response)).message)
      if (!response.ok) throw await api.failure(response)
      await response.body?.cancel()
    },
    async update(id, body) {
      const response = await api.send('PUT', `${notes}/${id}`, { body })
      if (!response.ok && ![403, 404].includes(response.status)) throw await api.failure(response)
      await response.body?.cancel()
      return response.ok
    },
  }
}
