import { type Fake, json, notFound, unauthorised } from '../fetching/fake-server.case.ts'

export function fakeDigitalocean(sizes: readonly unknown[], token: string, pageItems = 200): Fake {
  return ({ path, query, headers }, origin) => {
    if (path !== '/v2/sizes') return notFound
    if (headers.authorization !== `Bearer ${token}`) return unauthorised
    const page = Number(query.get('page') ?? 1)
    const more = page * pageItems < sizes.length
    return json({
      sizes: sizes.slice((page - 1) * pageItems, page * pageItems),
      links: more ? { pages: { next: `${origin}/v2/sizes?page=${page + 1}` } } : {},
      meta: { total: sizes.length },
    })
  }
}

export const droplet = (slug: string, more: Readonly<Record<string, unknown>>) => ({
  slug,
  memory: 8192,
  vcpus: 4,
  disk: 160,
  transfer: 5,
  available: true,
  regions: ['fra1', 'nyc3'],
  description: 'Basic',
  ...more,
})
