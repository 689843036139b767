import type { DatabaseSync } from 'node:sqlite'
import { StoreTooNew } from '../port.ts'
import { inTransaction } from './database.ts'

/** Each line takes the database one version further. Released ones never change; new ones go at the end. */
const migrations: readonly string[] = [
  `CREATE TABLE organisations (
     id TEXT PRIMARY KEY,
     created_at INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE api_keys (
     id TEXT PRIMARY KEY,
     organisation TEXT NOT NULL REFERENCES organisations (id),
     name TEXT NOT NULL,
     scopes TEXT NOT NULL,
     secret_hash TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     revoked_at INTEGER,
     last_used_at INTEGER,
     replaced_by TEXT
   ) STRICT;
   CREATE TABLE marketplace_entries (
     organisation TEXT NOT NULL REFERENCES organisations (id),
     provider TEXT NOT NULL,
     service TEXT NOT NULL,
     region TEXT NOT NULL,
     zone TEXT NOT NULL,
     instance_type TEXT NOT NULL,
     operating_system TEXT NOT NULL,
     usage_type TEXT NOT NULL,
     price_per_hour_usd REAL NOT NULL,
     vcpus REAL NOT NULL,
     ram_gib REAL NOT NULL,
     raw_json TEXT NOT NULL,
     PRIMARY KEY (organisation, provider, service, region, zone, instance_type, operating_system, usage_type)
   ) STRICT;
   CREATE TABLE changes (
     topic TEXT PRIMARY KEY,
     version INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE leases (
     name TEXT PRIMARY KEY,
     holder TEXT NOT NULL,
     acquired_at INTEGER NOT NULL,
     ttl_ms INTEGER NOT NULL
   ) STRICT;`,
  `CREATE TABLE catalogues (
     sequence INTEGER PRIMARY KEY,
     id TEXT NOT NULL,
     published_at INTEGER NOT NULL,
     bytes BLOB NOT NULL
   ) STRICT;
   CREATE TABLE price_changes (
     provider TEXT NOT NULL,
     instance_type TEXT NOT NULL,
     usage_type TEXT NOT NULL,
     at INTEGER NOT NULL,
     packed BLOB NOT NULL,
     PRIMARY KEY (provider, instance_type, usage_type, at)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX price_changes_by_age ON price_changes (usage_type, at);`,
]

/** The write lock makes several processes that start at once take turns; the version is read again under it. */
export function migrate(db: DatabaseSync): void {
  while (versionOf(db) !== migrations.length) inTransaction(db, () => step(db))
}

function step(db: DatabaseSync): void {
  const version = versionOf(db)
  if (version > migrations.length) {
    throw new StoreTooNew(
      `The database has version ${version}, this Cheapside knows versions up to ${migrations.length}: start a newer Cheapside`,
    )
  }
  const sql = migrations[version]
  if (sql !== undefined) db.exec(`${sql} PRAGMA user_version = ${version + 1}`)
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version)
}
