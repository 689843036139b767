import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { debianBinary } from './debian-binary.ts'
import { type Peer, startPeer } from './peer-process.ts'

/** A real Prometheus (Debian: 2.42) that accepts remote writes, with the given configuration as YAML. */
export function startPrometheus(configuration = '', flags: readonly string[] = []): Promise<Peer> {
  return startPeer(
    debianBinary('prometheus', 'prometheus'),
    (directory) => {
      const file = join(directory, 'prometheus.yml')
      writeFileSync(file, configuration)
      return [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(directory, 'data')}`,
        '--web.listen-address=127.0.0.1:0',
        '--web.enable-remote-write-receiver',
        ...flags,
      ]
    },
    /msg="Listening on" address=127\.0\.0\.1:(\d+)/,
    '/-/ready',
  )
}
