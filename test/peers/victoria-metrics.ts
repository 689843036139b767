import { createServer } from 'node:net'
import { join } from 'node:path'
import { debianBinary } from './debian-binary.ts'
import { type Peer, startPeer } from './peer-process.ts'

/** A real VictoriaMetrics (Debian: 1.79.5). It does not report the port that it chose, so it gets a free one. */
export async function startVictoriaMetrics(flags: readonly string[] = []): Promise<Peer> {
  const port = await freePort()
  return startPeer(
    debianBinary('victoria-metrics', 'victoria-metrics'),
    (directory) => [
      `-storageDataPath=${join(directory, 'data')}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      '-retentionPeriod=10y',
      ...flags,
    ],
    /starting http server at http:\/\/127\.0\.0\.1:(\d+)/,
    '/health',
  )
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
