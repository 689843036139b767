import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Comment {
  readonly id: number
  body: string
  readonly user?: { readonly type: string }
}

interface Fault {
  /** Method of the request that fails, such as "POST". */
  readonly method: string
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A server with the comments of GitHub's REST API or the notes of GitLab's, in the shapes that both document. */
export interface FakeService {
  readonly url: string
  readonly comments: Comment[]
  /** "GET /path" of each request, in order. */
  readonly requests: string[]
  /** Answers that are sent first, once each. */
  readonly faults: Fault[]
  /** Called before a comment is changed. */
  beforeUpdate: () => void
  close(): Promise<void>
}

const pageSize = 100

export async function startFakeService(kind: 'github' | 'gitlab', token: string): Promise<FakeService> {
  const { list, one, update } = routes[kind]
  const comments: Comment[] = []
  const requests: string[] = []
  const faults: Fault[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    requests.push(`${method} ${url}`)
    const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      send(response, status, body, headers)
    const given = request.headers.authorization?.replace('Bearer ', '') ?? request.headers['private-token']
    if (given !== token) return answer(401, { message: '401 Unauthorized' })
    const fault = faults.findIndex((one) => one.method === method)
    if (fault >= 0) {
      const [{ status, headers, body }] = faults.splice(fault, 1) as [Fault]
      return answer(status, body ?? { message: 'Resource not accessible by integration' }, headers)
    }
    const path = url.split('?')[0]!
    if (method === 'GET' && list.test(path)) {
      const page = Number(new URL(url, service.url).searchParams.get('page') ?? 1)
      const next = `<${service.url}${path}?per_page=${pageSize}&page=${page + 1}>; rel="next"`
      const shown = comments.slice((page - 1) * pageSize, page * pageSize)
      return answer(200, shown, comments.length > page * pageSize ? { link: next } : {})
    }
    if (method === 'POST' && list.test(path)) {
      const { body } = (await bodyOf(request)) as { body: string }
      const comment = { id: 1000 + requests.length, body }
      comments.push(comment)
      return answer(201, comment)
    }
    const id = Number(one.exec(path)?.[1])
    if (method !== update || !id) return answer(404, { message: 'Not Found' })
    service.beforeUpdate()
    const { body } = (await bodyOf(request)) as { body: string }
    const found = comments.find((comment) => comment.id === id)
    if (found === undefined) return answer(404, { message: '404 Not found' })
    found.body = body
    return answer(200, found)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const service: FakeService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    comments,
    requests,
    faults,
    beforeUpdate: () => {},
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return service
}

const routes = {
  github: {
    list: /^\/repos\/acme\/infra\/issues\/7\/comments$/,
    one: /^\/repos\/acme\/infra\/issues\/comments\/(\d+)$/,
    update: 'PATCH',
  },
  gitlab: {
    list: /^\/projects\/42\/merge_requests\/7\/notes$/,
    one: /^\/projects\/42\/merge_requests\/7\/notes\/(\d+)$/,
    update: 'PUT',
  },
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString())
}
