import { debianPath, installedPath } from './debian-binary.ts'

/** Programs that npm does not bring and tests use: the Debian package of each, and a file of it. */
const files = {
  caddy: 'usr/bin/caddy',
  chromium: 'usr/bin/chromium',
  curl: 'usr/bin/curl',
  'kubernetes-client': 'usr/bin/kubectl',
  nginx: 'usr/sbin/nginx',
  openssl: 'usr/bin/openssl',
  'postgresql-15': 'usr/lib/postgresql/15/bin/postgres',
  prometheus: 'usr/bin/prometheus',
  sqlite3: 'usr/bin/sqlite3',
  systemd: 'usr/bin/systemd-analyze',
  'util-linux': 'usr/bin/prlimit',
  'victoria-metrics': 'usr/bin/victoria-metrics',
}
export type DebianPackage = keyof typeof files

/** Whether the package is on this machine, or could be downloaded. */
export function canBeHad(name: DebianPackage): boolean {
  try {
    debianPath(files[name], name)
    return true
  } catch {
    return false
  }
}

/** Packages that are not on this machine. */
export const missingPackages = (): string[] =>
  Object.entries(files).flatMap(([name, file]) => (installedPath(file, name) === undefined ? [name] : []))
