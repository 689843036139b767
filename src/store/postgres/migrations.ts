import type { PoolClient, QueryConfig } from 'pg'
import { hourMs } from '../../domain/time.ts'
import { StoreTooNew } from '../port.ts'
import type { Database } from './database.ts'
import { dayTablesMigration } from './usage/tables.ts'

/**
 * Each element takes the database one version further. The result of a released one never changes; new ones are added
 * at the end. Every statement must work on the oldest PostgreSQL that checkServer() accepts.
 */
const migrations: readonly string[] = [
  `CREATE TABLE organisations (
     id text COLLATE "C" PRIMARY KEY,
     created_at bigint NOT NULL
   );
   CREATE TABLE api_keys (
     id text COLLATE "C" PRIMARY KEY,
     organisation text COLLATE "C" NOT NULL REFERENCES organisations (id),
     name text NOT NULL,
     scopes text NOT NULL,
     secret_hash text NOT NULL,
     created_at bigint NOT NULL,
     expires_at bigint,
     revoked_at bigint,
     last_used_at bigint,
     replaced_by text COLLATE "C"
   );
   CREATE TABLE marketplace_entries (
     organisation text COLLATE "C" NOT NULL REFERENCES organisations (id),
     provider text COLLATE "C" NOT NULL,
     service text COLLATE "C" NOT NULL,
     region text COLLATE "C" NOT NULL,
     zone text COLLATE "C" NOT NULL,
     instance_type text COLLATE "C" NOT NULL,
     operating_system text COLLATE "C" NOT NULL,
     usage_type text COLLATE "C" NOT NULL,
     price_per_hour_usd double precision NOT NULL,
     vcpus double precision NOT NULL,
     ram_gib double precision NOT NULL,
     raw_json text NOT NULL,
     PRIMARY KEY (organisation, provider, service, region, zone, instance_type, operating_system, usage_type)
   );
   CREATE TABLE changes (
     topic text COLLATE "C" PRIMARY KEY,
     version bigint NOT NULL
   );
   CREATE TABLE leases (
     name text COLLATE "C" PRIMARY KEY,
     holder text NOT NULL,
     acquired_at bigint NOT NULL,
     ttl_ms bigint NOT NULL
   );`,
  `CREATE TABLE catalogues (
     sequence bigint PRIMARY KEY,
     id text NOT NULL,
     published_at bigint NOT NULL,
     bytes bytea NOT NULL
   );
   CREATE TABLE price_changes (
     provider text COLLATE "C" NOT NULL,
     instance_type text COLLATE "C" NOT NULL,
     usage_type text COLLATE "C" NOT NULL,
     at bigint NOT NULL,
     packed bytea NOT NULL,
     PRIMARY KEY (provider, instance_type, usage_type, at)
   );
   CREATE INDEX price_changes_by_age ON price_changes (usage_type, at);`,
  `CREATE TABLE usage_partitions (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     organisation text COLLATE "C" NOT NULL REFERENCES organisations (id),
     source text COLLATE "C" NOT NULL,
     epoch bigint NOT NULL,
     resume text NOT NULL,
     UNIQUE (organisation, source)
   );
   CREATE TABLE usage_journal (
     sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     partition integer NOT NULL REFERENCES usage_partitions (id),
     received_at bigint NOT NULL,
     format text NOT NULL,
     cluster text NOT NULL,
     body bytea NOT NULL
   );
   ALTER TABLE usage_journal ALTER COLUMN body SET STORAGE EXTERNAL;
   CREATE INDEX usage_journal_by_partition ON usage_journal (partition, sequence);
   CREATE TABLE usage_subjects (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     organisation text COLLATE "C" NOT NULL,
     key bytea NOT NULL,
     UNIQUE (organisation, key)
   );
   CREATE TABLE usage_states (
     partition integer NOT NULL,
     subject bigint NOT NULL,
     state bytea NOT NULL,
     PRIMARY KEY (partition, subject)
   );
   CREATE TABLE usage_digests (
     subject bigint NOT NULL,
     hour integer NOT NULL,
     partition integer NOT NULL,
     epoch bigint NOT NULL,
     part integer NOT NULL,
     bytes bytea NOT NULL,
     PRIMARY KEY (subject, hour, partition, epoch, part)
   );
   CREATE INDEX usage_digests_by_age ON usage_digests (partition, hour);
   CREATE INDEX usage_digests_loose ON usage_digests (partition, hour) WHERE epoch > 0;
   CREATE TABLE usage_entities (
     partition integer NOT NULL,
     key bytea NOT NULL,
     kind text COLLATE "C" NOT NULL,
     cluster text COLLATE "C" NOT NULL,
     last_hour integer NOT NULL,
     json text NOT NULL,
     PRIMARY KEY (partition, key)
   );`,
  `CREATE TABLE organisation_settings (
     organisation text COLLATE "C" NOT NULL REFERENCES organisations (id),
     name text COLLATE "C" NOT NULL,
     value text NOT NULL,
     PRIMARY KEY (organisation, name)
   );`,
  `CREATE TABLE sizing_models (
     organisation text COLLATE "C" PRIMARY KEY REFERENCES organisations (id),
     learnt_at bigint NOT NULL,
     format text NOT NULL,
     bytes bytea NOT NULL
   );
   ALTER TABLE sizing_models ALTER COLUMN bytes SET STORAGE EXTERNAL;`,
  // The defaults are for nodes of the previous version, which may still register entries.
  `ALTER TABLE marketplace_entries
     ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
     ADD COLUMN created_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
     ADD COLUMN updated_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
   CREATE UNIQUE INDEX marketplace_entries_by_id ON marketplace_entries (id);`,
  `CREATE TABLE sessions (
     token_hash text COLLATE "C" PRIMARY KEY,
     key_id text COLLATE "C" NOT NULL REFERENCES api_keys (id),
     created_at bigint NOT NULL,
     expires_at bigint NOT NULL
   );
   CREATE INDEX sessions_by_key ON sessions (key_id, created_at);`,
  // Keys that can issue keys get the new scope, because they could grant it to themselves anyway.
  `CREATE TABLE recommendations (
     organisation text COLLATE "C" NOT NULL REFERENCES organisations (id),
     id text COLLATE "C" NOT NULL,
     version bigint NOT NULL,
     decided smallint NOT NULL,
     advised_at bigint NOT NULL,
     json text NOT NULL,
     PRIMARY KEY (organisation, id)
   );
   UPDATE api_keys SET scopes = scopes || ' gateway:write'
   WHERE scopes LIKE '%gateway:read%' AND scopes LIKE '%admin%';`,
  `CREATE TABLE usage_days (
     subject bigint NOT NULL,
     day integer NOT NULL,
     partition integer NOT NULL,
     bytes bytea NOT NULL,
     PRIMARY KEY (subject, day, partition)
   );
   DROP INDEX usage_digests_loose;
   CREATE INDEX usage_digests_loose ON usage_digests (partition, (hour / 24) DESC, subject) WHERE epoch > 0 OR part = 0;`,
  dayTablesMigration,
  `CREATE TABLE node_loads (
     organisation text COLLATE "C" NOT NULL,
     cluster text COLLATE "C" NOT NULL,
     day integer NOT NULL,
     read_at bigint NOT NULL,
     bytes bytea NOT NULL,
     PRIMARY KEY (organisation, cluster, day)
   );`,
  // Unlogged, because answers may be lost and are rewritten every hour.
  `CREATE UNLOGGED TABLE answers (
     organisation text COLLATE "C" NOT NULL,
     name text COLLATE "C" NOT NULL,
     basis text NOT NULL,
     computed_at bigint NOT NULL,
     good_until bigint NOT NULL,
     bytes bytea NOT NULL,
     PRIMARY KEY (organisation, name)
   );`,
  'ALTER TABLE usage_partitions ADD COLUMN late_at bigint NOT NULL DEFAULT 0;',
  // The shard is in the key, so that a sharding PostgreSQL can distribute the table by it.
  `CREATE TABLE decisions (
     organisation text COLLATE "C" NOT NULL REFERENCES organisations (id),
     day integer NOT NULL,
     subject bytea NOT NULL,
     shard smallint NOT NULL,
     bytes bytea NOT NULL,
     PRIMARY KEY (organisation, day, subject, shard)
   );`,
  'DROP TABLE answers;',
  `CREATE TABLE recommendation_lists (
     organisation text COLLATE "C" PRIMARY KEY REFERENCES organisations (id),
     made_at bigint NOT NULL,
     basis text NOT NULL,
     bytes bytea NOT NULL
   );
   ALTER TABLE recommendation_lists ALTER COLUMN bytes SET STORAGE EXTERNAL;`,
  `CREATE TABLE node_prices (
     organisation text COLLATE "C" NOT NULL REFERENCES organisations (id),
     kind text COLLATE "C" NOT NULL,
     cluster text COLLATE "C" NOT NULL,
     name text COLLATE "C" NOT NULL,
     day integer NOT NULL,
     json text NOT NULL,
     PRIMARY KEY (organisation, kind, cluster, name, day)
   );`,
  'CREATE INDEX usage_entities_by_kind ON usage_entities (partition, kind, last_hour);',
  `CREATE TABLE documents (
     organisation text COLLATE "C" NOT NULL REFERENCES organisations (id),
     name text COLLATE "C" NOT NULL,
     bytes bytea NOT NULL,
     PRIMARY KEY (organisation, name)
   );`,
]

/** Maximum time to wait for migrations of other nodes, and for one of our own. */
const busyTimeoutMs = hourMs

/** This advisory lock serialises nodes that start at the same time. Its number is "cheap" in ASCII. */
const lockSql = `SET LOCAL statement_timeout = ${busyTimeoutMs}; SELECT pg_advisory_xact_lock(${0x6368656170})`

/** Migrates to a version, by default the latest. Before each step, except of a new database, `onStep` is called. */
export async function migrate(db: Database, target = migrations.length, onStep?: OnMigration): Promise<void> {
  let [version, isNew] = [0, false]
  const report: OnMigration = (to, latest) => {
    isNew ||= to === 1
    if (!isNew) onStep?.(to, latest)
  }
  do {
    version = await db.inTransaction((client) => step(client, target, report))
  } while (version < target)
}

/** Is called with the version of the schema that follows, and with the latest. */
export type OnMigration = (to: number, latest: number) => void

/** Migrates by at most one version. Returns the version afterwards. */
async function step(client: PoolClient, target: number, onStep: OnMigration): Promise<number> {
  await client.query(withLongTimeout(lockSql))
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_versions (version integer PRIMARY KEY, at timestamptz)',
  )
  const { rows } = await client.query('SELECT coalesce(max(version), 0) AS version FROM schema_versions')
  const version: number = rows[0].version
  refuseNewer(version)
  const sql = migrations[version]
  if (sql === undefined || version >= target) return version
  onStep(version + 1, target)
  await client.query(withLongTimeout(sql))
  await client.query('INSERT INTO schema_versions (version, at) VALUES ($1, now())', [version + 1])
  return version + 1
}

/** The driver accepts query_timeout for a single query; its types omit that. */
const withLongTimeout = (text: string): QueryConfig => ({ text, query_timeout: busyTimeoutMs }) as QueryConfig

/** Throws StoreTooNew if a newer release wrote a database or backup of this version. */
export function refuseNewer(version: number, what = 'The database'): void {
  if (version <= migrations.length) return
  throw new StoreTooNew(
    `${what} has version ${version}, but this release of Cheapside supports versions up to ${migrations.length}: start a newer release`,
  )
}
