import type { DatabaseSync } from 'node:sqlite'
import { StoreTooNew } from '../port.ts'
import { inTransaction } from './database.ts'

/** Each element takes the database one version further. Released ones never change; new ones are added at the end. */
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
  `CREATE TABLE usage_partitions (
     id INTEGER PRIMARY KEY,
     organisation TEXT NOT NULL REFERENCES organisations (id),
     source TEXT NOT NULL,
     epoch INTEGER NOT NULL,
     resume TEXT NOT NULL,
     UNIQUE (organisation, source)
   ) STRICT;
   CREATE TABLE usage_journal (
     sequence INTEGER PRIMARY KEY AUTOINCREMENT,
     partition INTEGER NOT NULL REFERENCES usage_partitions (id),
     received_at INTEGER NOT NULL,
     format TEXT NOT NULL,
     cluster TEXT NOT NULL,
     body BLOB NOT NULL
   ) STRICT;
   CREATE INDEX usage_journal_by_partition ON usage_journal (partition);
   CREATE TABLE usage_subjects (
     id INTEGER PRIMARY KEY,
     organisation TEXT NOT NULL,
     key BLOB NOT NULL,
     UNIQUE (organisation, key)
   ) STRICT;
   CREATE TABLE usage_states (
     partition INTEGER NOT NULL,
     subject INTEGER NOT NULL,
     state BLOB NOT NULL,
     PRIMARY KEY (partition, subject)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE usage_digests (
     subject INTEGER NOT NULL,
     hour INTEGER NOT NULL,
     partition INTEGER NOT NULL,
     epoch INTEGER NOT NULL,
     part INTEGER NOT NULL,
     bytes BLOB NOT NULL,
     UNIQUE (subject, hour, partition, epoch, part)
   ) STRICT;
   CREATE INDEX usage_digests_by_age ON usage_digests (partition, hour);
   CREATE INDEX usage_digests_loose ON usage_digests (partition, hour) WHERE epoch > 0;
   CREATE TABLE usage_entities (
     partition INTEGER NOT NULL,
     key BLOB NOT NULL,
     kind TEXT NOT NULL,
     cluster TEXT NOT NULL,
     last_hour INTEGER NOT NULL,
     json TEXT NOT NULL,
     PRIMARY KEY (partition, key)
   ) STRICT;`,
  `CREATE TABLE organisation_settings (
     organisation TEXT NOT NULL REFERENCES organisations (id),
     name TEXT NOT NULL,
     value TEXT NOT NULL,
     PRIMARY KEY (organisation, name)
   ) STRICT;`,
  `CREATE TABLE sizing_models (
     organisation TEXT PRIMARY KEY REFERENCES organisations (id),
     learnt_at INTEGER NOT NULL,
     format TEXT NOT NULL,
     bytes BLOB NOT NULL
   ) STRICT;`,
  `ALTER TABLE marketplace_entries ADD COLUMN id TEXT NOT NULL DEFAULT '';
   ALTER TABLE marketplace_entries ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE marketplace_entries ADD COLUMN updated_at INTEGER NOT NULL DEFAULT 0;
   UPDATE marketplace_entries SET
     id = lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
       || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
     created_at = unixepoch() * 1000,
     updated_at = unixepoch() * 1000;
   CREATE UNIQUE INDEX marketplace_entries_by_id ON marketplace_entries (id);`,
  `CREATE TABLE sessions (
     token_hash TEXT PRIMARY KEY,
     key_id TEXT NOT NULL REFERENCES api_keys (id),
     created_at INTEGER NOT NULL,
     expires_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX sessions_by_key ON sessions (key_id, created_at);`,
  // Keys that can issue keys get the new scope, because they could grant it to themselves anyway.
  `CREATE TABLE recommendations (
     organisation TEXT NOT NULL REFERENCES organisations (id),
     id TEXT NOT NULL,
     version INTEGER NOT NULL,
     decided INTEGER NOT NULL,
     advised_at INTEGER NOT NULL,
     json TEXT NOT NULL,
     PRIMARY KEY (organisation, id)
   ) STRICT;
   UPDATE api_keys SET scopes = scopes || ' gateway:write'
   WHERE scopes LIKE '%gateway:read%' AND scopes LIKE '%admin%';`,
  `CREATE TABLE usage_days (
     subject INTEGER NOT NULL,
     day INTEGER NOT NULL,
     partition INTEGER NOT NULL,
     bytes BLOB NOT NULL,
     PRIMARY KEY (subject, day, partition)
   ) STRICT, WITHOUT ROWID;
   DROP INDEX usage_digests_loose;
   CREATE INDEX usage_digests_loose ON usage_digests (partition, hour / 24 DESC, subject) WHERE epoch > 0 OR part = 0;`,
  // SQLite cannot change a constraint of a table, so both tables are created again, the referring one first.
  `CREATE TABLE new_usage_partitions (
     id INTEGER PRIMARY KEY,
     organisation TEXT NOT NULL REFERENCES organisations (id),
     source TEXT NOT NULL,
     shard INTEGER NOT NULL DEFAULT 0,
     subjects INTEGER NOT NULL DEFAULT 0,
     epoch INTEGER NOT NULL,
     resume TEXT NOT NULL,
     UNIQUE (organisation, source, shard)
   ) STRICT;
   INSERT INTO new_usage_partitions (id, organisation, source, epoch, resume)
     SELECT id, organisation, source, epoch, resume FROM usage_partitions;
   CREATE TABLE new_usage_journal (
     sequence INTEGER PRIMARY KEY AUTOINCREMENT,
     partition INTEGER NOT NULL REFERENCES new_usage_partitions (id),
     received_at INTEGER NOT NULL,
     format TEXT NOT NULL,
     cluster TEXT NOT NULL,
     body BLOB NOT NULL
   ) STRICT;
   INSERT INTO new_usage_journal SELECT sequence, partition, received_at, format, cluster, body FROM usage_journal;
   DROP TABLE usage_journal;
   DROP TABLE usage_partitions;
   ALTER TABLE new_usage_partitions RENAME TO usage_partitions;
   ALTER TABLE new_usage_journal RENAME TO usage_journal;
   CREATE INDEX usage_journal_by_partition ON usage_journal (partition);`,
  `CREATE TABLE node_loads (
     organisation TEXT NOT NULL,
     cluster TEXT NOT NULL,
     day INTEGER NOT NULL,
     read_at INTEGER NOT NULL,
     bytes BLOB NOT NULL,
     PRIMARY KEY (organisation, cluster, day)
   ) STRICT;`,
  `CREATE TABLE answers (
     organisation TEXT NOT NULL,
     name TEXT NOT NULL,
     basis TEXT NOT NULL,
     computed_at INTEGER NOT NULL,
     good_until INTEGER NOT NULL,
     bytes BLOB NOT NULL,
     PRIMARY KEY (organisation, name)
   ) STRICT;`,
  'ALTER TABLE usage_partitions ADD COLUMN late_at INTEGER NOT NULL DEFAULT 0;',
  `CREATE TABLE decisions (
     organisation TEXT NOT NULL REFERENCES organisations (id),
     day INTEGER NOT NULL,
     subject BLOB NOT NULL,
     bytes BLOB NOT NULL,
     PRIMARY KEY (organisation, day, subject)
   ) STRICT, WITHOUT ROWID;`,
  'DROP TABLE answers;',
  `CREATE TABLE recommendation_lists (
     organisation TEXT PRIMARY KEY REFERENCES organisations (id),
     made_at INTEGER NOT NULL,
     basis TEXT NOT NULL,
     bytes BLOB NOT NULL
   ) STRICT;`,
  `CREATE TABLE node_prices (
     organisation TEXT NOT NULL REFERENCES organisations (id),
     kind TEXT NOT NULL,
     cluster TEXT NOT NULL,
     name TEXT NOT NULL,
     day INTEGER NOT NULL,
     json TEXT NOT NULL,
     PRIMARY KEY (organisation, kind, cluster, name, day)
   ) STRICT, WITHOUT ROWID;`,
  'CREATE INDEX usage_entities_by_kind ON usage_entities (partition, kind, last_hour);',
  `CREATE TABLE documents (
     organisation TEXT NOT NULL REFERENCES organisations (id),
     name TEXT NOT NULL,
     bytes BLOB NOT NULL,
     PRIMARY KEY (organisation, name)
   ) STRICT;`,
]

/** The write lock makes processes that start at once take turns, and the version is read again under it. */
export function migrate(db: DatabaseSync, target = migrations.length): void {
  while (versionOf(db) !== target) inTransaction(db, () => step(db))
}

function step(db: DatabaseSync): void {
  const version = versionOf(db)
  refuseNewer(version)
  const sql = migrations[version]
  if (sql !== undefined) db.exec(`${sql} PRAGMA user_version = ${version + 1}`)
}

export function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version)
}

/** Throws StoreTooNew if a newer release wrote a database or backup of this version. */
export function refuseNewer(version: number, what = 'The database'): void {
  if (version <= migrations.length) return
  throw new StoreTooNew(
    `${what} has version ${version}, but this release of Cheapside supports versions up to ${migrations.length}: start a newer release`,
  )
}
