import { dayOfHour } from '../usage-row.ts'
import type { Database } from './database.ts'

/** Days that ended before the hour and have a table, in order. */
export async function daysBefore(db: Pick<Database, 'rows'>, beforeHour: number): Promise<number[]> {
  const rows = await db.rows<{ day: number }>(
    `SELECT substring(c.relname FROM '[0-9]+$')::integer AS day
     FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'usage_digests'::regclass ORDER BY day`,
  )
  return rows.map(({ day }) => day).filter((day) => day < dayOfHour(beforeHour))
}

/** The number is that of days since 1970. */
export const dayTable = (of: 'digests' | 'days', day: number): string => `usage_${of}_day_${day}`

/**
 * The step from one table of digests to one table for each day, and from keys without a shard to keys that end with it, as
 * Citus wants them. What is stored moves with it; it belongs to shard 0.
 */
export const dayTablesMigration = `
  ALTER TABLE usage_journal DROP CONSTRAINT usage_journal_partition_fkey;
  ALTER TABLE usage_partitions
    ALTER COLUMN id TYPE bigint,
    ADD COLUMN shard integer NOT NULL DEFAULT 0,
    DROP CONSTRAINT usage_partitions_pkey,
    DROP CONSTRAINT usage_partitions_organisation_source_key;
  ALTER TABLE usage_partitions
    ADD PRIMARY KEY (id, shard),
    ADD UNIQUE (organisation, source, shard);
  DROP INDEX usage_journal_by_partition;
  ALTER TABLE usage_journal
    ALTER COLUMN partition TYPE bigint,
    ADD COLUMN shard integer NOT NULL DEFAULT 0,
    DROP CONSTRAINT usage_journal_pkey;
  ALTER TABLE usage_journal
    ADD PRIMARY KEY (partition, sequence, shard),
    ADD FOREIGN KEY (partition, shard) REFERENCES usage_partitions (id, shard);
  ALTER TABLE usage_subjects
    ADD COLUMN shard integer NOT NULL DEFAULT 0,
    DROP CONSTRAINT usage_subjects_pkey,
    DROP CONSTRAINT usage_subjects_organisation_key_key;
  ALTER TABLE usage_subjects
    ADD PRIMARY KEY (id, shard),
    ADD UNIQUE (organisation, key, shard);
  ALTER TABLE usage_states
    ALTER COLUMN partition TYPE bigint,
    ADD COLUMN shard integer NOT NULL DEFAULT 0,
    DROP CONSTRAINT usage_states_pkey;
  ALTER TABLE usage_states ADD PRIMARY KEY (partition, subject, shard);
  ALTER TABLE usage_entities
    ALTER COLUMN partition TYPE bigint,
    ADD COLUMN shard integer NOT NULL DEFAULT 0,
    DROP CONSTRAINT usage_entities_pkey;
  ALTER TABLE usage_entities ADD PRIMARY KEY (partition, key, shard);
  ALTER TABLE usage_digests RENAME TO usage_digests_before;
  ALTER TABLE usage_digests_before RENAME CONSTRAINT usage_digests_pkey TO usage_digests_before_pkey;
  DROP INDEX usage_digests_by_age, usage_digests_loose;
  CREATE TABLE usage_digests (
    subject bigint NOT NULL,
    hour integer NOT NULL,
    partition bigint NOT NULL,
    epoch bigint NOT NULL,
    part integer NOT NULL,
    shard integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (subject, hour, partition, epoch, part, shard)
  ) PARTITION BY RANGE (hour);
  CREATE INDEX usage_digests_by_partition ON usage_digests (partition);
  CREATE INDEX usage_digests_loose ON usage_digests (partition, hour, subject) WHERE epoch > 0 OR part = 0;
  ALTER TABLE usage_days RENAME TO usage_days_before;
  ALTER TABLE usage_days_before RENAME CONSTRAINT usage_days_pkey TO usage_days_before_pkey;
  CREATE TABLE usage_days (
    subject bigint NOT NULL,
    day integer NOT NULL,
    partition bigint NOT NULL,
    shard integer NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (subject, day, partition, shard)
  ) PARTITION BY RANGE (day);
  DO $$
  DECLARE day integer;
  BEGIN
    FOR day IN SELECT DISTINCT hour / 24 FROM usage_digests_before LOOP
      EXECUTE format(
        'CREATE TABLE usage_digests_day_%s PARTITION OF usage_digests FOR VALUES FROM (%s) TO (%s)',
        day, day * 24, day * 24 + 24);
      EXECUTE format(
        'CREATE TABLE usage_days_day_%s PARTITION OF usage_days FOR VALUES FROM (%s) TO (%s)', day, day, day + 1);
    END LOOP;
  END $$;
  INSERT INTO usage_digests (subject, hour, partition, epoch, part, shard, bytes)
    SELECT subject, hour, partition, epoch, part, 0, bytes FROM usage_digests_before;
  INSERT INTO usage_days (subject, day, partition, shard, bytes)
    SELECT subject, day, partition, 0, bytes FROM usage_days_before
    WHERE day IN (SELECT hour / 24 FROM usage_digests_before);
  DROP TABLE usage_digests_before, usage_days_before;`
