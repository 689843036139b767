import { UsageError } from '../command.ts'
import { Api, type ApiOptions } from './api.ts'
import { MayNotComment, type PullRequest } from './comment.ts'

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
