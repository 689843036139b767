/** Returns lines for prometheus.yml. */
export const remoteWrite = (origin: string): string =>
  [
    'remote_write:',
    `  - url: ${origin}/api/v1/write?cluster=my-cluster`,
    '    authorization:',
    '      credentials_file: /etc/prometheus/cheapside.key',
    '    queue_config:',
    '      retry_on_http_429: true',
  ].join('\n')
