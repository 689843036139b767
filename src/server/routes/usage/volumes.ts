import { reportVolumes } from '../../../pricing/disks/report-volumes.ts'
import { VolumesQuery, VolumesView } from '../../../pricing/disks/volume-schema.ts'
import { type HeavyReads, heavyReadProblems } from '../../heavy-reads.ts'
import type { Routes } from '../../server.ts'

/** Lists the volumes of clusters with cheaper disks for them. */
export function volumeRoutes(deps: Parameters<typeof reportVolumes>[0], reads: HeavyReads): Routes {
  return (server) => {
    server.get('/v1/volumes', {
      config: { scope: 'gateway:read', hasAmounts: true, problems: heavyReadProblems },
      schema: {
        tags: ['Gateway'],
        summary: 'List persistent volumes with their cost, use, and cheaper disks',
        description:
          'Claims of clusters, and volumes whose claim is gone, from kube-state-metrics and the kubelet. A volume is priced as a disk of the region in which most nodes of its cluster are, of the type after which its storage class is named, or at your own price of a disk type with the name of the class.',
        querystring: VolumesQuery,
        response: { 200: VolumesView },
      },
      handler: async (request, reply) => {
        await reads.admit(request, reply)
        return reply.send(await reportVolumes(deps, request.caller.organisation, request.query))
      },
    })
  }
}
