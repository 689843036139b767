import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MayNotComment, markOf, type PullRequest, putComment } from './api.ts'
import { type FakeService, startFakeService } from './fake-service.case.ts'
import { githubPullRequest, gitlabMergeRequest } from './github.ts'

const mark = markOf('default')
const nowMs = 1_700_000_000_000

describe.each(['github', 'gitlab'] as const)('%s', (kind) => {
  let service: FakeService
  let waitsMs: number[]
  let pullRequest: PullRequest
  beforeEach(async () => {
    service = await startFakeService(kind, 'secret')
    waitsMs = []
    const time = { wait: async (ms: number) => void waitsMs.push(ms), now: () => nowMs }
    pullRequest =
      kind === 'github'
        ? githubPullRequest(
            {
              GITHUB_TOKEN: 'secret',
              GITHUB_REPOSITORY: 'acme/infra',
              GITHUB_REF: 'refs/pull/7/merge',
              GITHUB_API_URL: service.url,
            },
            time,
          )!
        : gitlabMergeRequest(
            {
              GITLAB_TOKEN: 'secret',
              CI_PROJECT_ID: '42',
              CI_MERGE_REQUEST_IID: '7',
              CI_API_V4_URL: service.url,
            },
            time,
          )!
  })
  afterEach(() => service.close())

  const bodies = () => service.comments.map(({ body }) => body)
  const others = (count: number) =>
    Array.from({ length: count }, (_, id) => ({ id: id + 1, body: `talk ${id}` }))

  test('creates one comment, then updates it in place', async () => {
    service.comments.push(...others(2))
    await putComment(pullRequest, mark, 'first')
    await putComment(pullRequest, mark, 'second')
    expect(bodies()).toEqual(['talk 0', 'talk 1', `${mark}\nsecond`])
  })

  test('finds its comment on a later page', async () => {
    service.comments.push(...others(250), { id: 900, body: `${mark}\nold` }, ...others(3))
    await putComment(pullRequest, mark, 'new')
    expect(bodies()[250]).toBe(`${mark}\nnew`)
    expect(service.comments).toHaveLength(254)
    expect(service.requests.filter((request) => request.startsWith('GET'))).toHaveLength(3)
  })

  test('a comment that only quotes the mark is not updated, and another tag has another comment', async () => {
    service.comments.push({ id: 5, body: `> ${mark}` }, { id: 6, body: `${markOf('other')}\nx` })
    await putComment(pullRequest, mark, 'mine')
    expect(bodies()).toEqual([`> ${mark}`, `${markOf('other')}\nx`, `${mark}\nmine`])
  })

  test('creates it again if it was deleted meanwhile', async () => {
    service.comments.push({ id: 5, body: `${mark}\nold` })
    service.beforeUpdate = () => service.comments.splice(0)
    await putComment(pullRequest, mark, 'new')
    expect(bodies()).toEqual([`${mark}\nnew`])
  })

  test('waits as long as the service asks', async () => {
    service.faults.push(
      { method: 'GET', status: 429, headers: { 'retry-after': '7' } },
      { method: 'POST', status: 429, headers: { 'retry-after': '3' } },
      { method: 'POST', status: 502 },
    )
    await putComment(pullRequest, mark, 'text')
    expect(waitsMs).toEqual([7000, 3000, 2000])
    expect(bodies()).toEqual([`${mark}\ntext`])
  })

  test('gives up if the wait is too long', async () => {
    service.faults.push({ method: 'GET', status: 429, headers: { 'retry-after': '3600' } })
    await expect(putComment(pullRequest, mark, 'text')).rejects.toThrow(
      'answered 429 and asked to wait 3600 s',
    )
    expect(waitsMs).toEqual([])
  })

  test('reports that it may not comment, as on pull requests from forks', async () => {
    service.faults.push({ method: 'POST', status: 403 })
    await expect(putComment(pullRequest, mark, 'text')).rejects.toThrow(MayNotComment)
    service.faults.push({ method: 'GET', status: 403 })
    await expect(putComment(pullRequest, mark, 'text')).rejects.toThrow(MayNotComment)
    expect(waitsMs).toEqual([])
  })
})

test('GitHub also signals rate limits by 403', async () => {
  const service = await startFakeService('github', 'secret')
  const waitsMs: number[] = []
  const environment = {
    GITHUB_TOKEN: 'secret',
    GITHUB_REPOSITORY: 'acme/infra',
    GITHUB_REF: 'refs/pull/7/merge',
    GITHUB_API_URL: service.url,
  }
  const time = { wait: async (ms: number) => void waitsMs.push(ms), now: () => nowMs }
  service.faults.push(
    { method: 'POST', status: 403, headers: { 'retry-after': '5' } },
    {
      method: 'POST',
      status: 403,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(nowMs / 1000 + 11) },
    },
  )
  await putComment(githubPullRequest(environment, time)!, mark, 'text')
  expect(waitsMs).toEqual([5000, 11_000])
  expect(githubPullRequest({ ...environment, GITHUB_REF: 'refs/heads/main' }, time)).toBeUndefined()
  await service.close()
})

test('a next page on another host is not followed', async () => {
  const [service, elsewhere] = [await startFakeService('gitlab', 's'), await startFakeService('gitlab', 's')]
  const link = `<${elsewhere.url}/x>; rel="next"`
  service.faults.push({ method: 'GET', status: 200, headers: { link }, body: [] })
  const environment = {
    GITLAB_TOKEN: 's',
    CI_PROJECT_ID: '42',
    CI_MERGE_REQUEST_IID: '7',
    CI_API_V4_URL: service.url,
  }
  const time = { wait: async () => {}, now: () => nowMs }
  const mergeRequest = gitlabMergeRequest(environment, time)!
  await expect(putComment(mergeRequest, mark, 'text')).rejects.toThrow('refers to another host')
  expect(elsewhere.requests).toEqual([])
  await Promise.all([service.close(), elsewhere.close()])
})

test('a token that cannot be sent is not in the message', async () => {
  const environment = { GITHUB_REPOSITORY: 'acme/infra', GITHUB_REF: 'refs/pull/7/merge' }
  const time = { wait: async () => {}, now: () => nowMs }
  const opened = githubPullRequest({ ...environment, GITHUB_TOKEN: 's3cret\nother' }, time)!
  await expect(putComment(opened, mark, 'text')).rejects.toThrow(
    'the token for https://api.github.com contains characters that no token has',
  )
})

test('a workflow does not take the comment of a person for its own', async () => {
  const service = await startFakeService('github', 'ghs_token')
  service.comments.push({ id: 5, body: `${mark}\nof a person`, user: { type: 'User' } })
  const pullRequest = githubPullRequest(
    {
      GITHUB_TOKEN: 'ghs_token',
      GITHUB_REPOSITORY: 'acme/infra',
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_API_URL: service.url,
    },
    { wait: async () => {}, now: () => nowMs },
  )!
  await putComment(pullRequest, mark, 'first')
  await putComment(pullRequest, mark, 'second')
  expect(service.comments.map(({ body }) => body)).toEqual([`${mark}\nof a person`, `${mark}\nsecond`])
  await service.close()
})
