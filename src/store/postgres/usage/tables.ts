import { dayOfHour } from '../../usage-row.ts'
import type { Database } from '../database.ts'

export async function daysBefore(db: Pick<Database, 'rows'>, beforeHour: number): Promise<number[]> {
  const rows = await db.rows<{ day: number }>(
    `SELECT substring(c.relname FROM '[0-9]+$')::integer AS day
     FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'usage_digests'::regclass ORDER BY day`,
  )
  return rows.map(({ day }) => day).filter((day) => day < dayOfHour(beforeHour))
}

/** `day` is the number of days since 1970. */
export const dayTable = (of: 'digests' | 'days', day: number): string => `usage_${of}_day_${day}`

/** As src/usage/shard.ts computes it. Keys are names separated by NUL. */
export const shardFunction = `
  CREATE FUNCTION usage_place(kind text, hex text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT get_byte(sha256(convert_to(kind, 'UTF8') || '\\x00'::bytea || decode(hex, 'hex')), 0) $$;
  CREATE FUNCTION usage_shard(organisation text, key bytea) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
    SELECT 1 + (usage_place('organisation', encode(convert_to(organisation, 'UTF8'), 'hex')) + CASE
      WHEN parts[1] = encode('p'::bytea, 'hex') THEN usage_place('machine', parts[2])
      WHEN parts[1] = encode('machine'::bytea, 'hex') THEN usage_place('machine', parts[4])
      ELSE usage_place('cluster', parts[2]) + usage_place('namespace', parts[3]) END) % 16
    FROM (SELECT string_to_array(regexp_replace(encode(key, 'hex'), '(..)', '\\1 ', 'g'), '00 ') AS spaced) AS a,
      LATERAL (SELECT array_agg(replace(part, ' ', '') ORDER BY place) AS parts
               FROM unnest(spaced) WITH ORDINALITY AS b (part, place)) AS c $$;`

/**
 * Migrates from one table of digests to one table per day, and from keys without a shard to keys that end with the
 * shard, as Citus requires. Stored rows are moved and belong to shard 0, except the state of subjects and the facts
 * about entities: the digesters of the other shards continue from those.
 */
export const dayTablesMigration = `
  ALTER TABLE usage_journal DROP CONSTRAINT usage_journal_partition_fkey;
  ALTER TABLE usage_partitions
    ALTER COLUMN id TYPE bigint,
    ADD COLUMN shard integer NOT NULL DEFAULT 0,
    ADD COLUMN subjects integer NOT NULL DEFAULT 0,
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
  DROP TABLE usage_digests_before, usage_days_before;
  ${shardFunction}
  INSERT INTO usage_partitions (organisation, source, shard, epoch, resume)
    SELECT organisation, source, number, 0, '' FROM usage_partitions, generate_series(1, 16) AS number
    WHERE source = 'push';
  INSERT INTO usage_subjects (organisation, key, shard)
    SELECT s.organisation, s.key, usage_shard(s.organisation, s.key) FROM usage_subjects s
    WHERE EXISTS (SELECT 1 FROM usage_states t JOIN usage_partitions p ON p.id = t.partition AND p.source = 'push'
                  WHERE t.subject = s.id);
  INSERT INTO usage_states (partition, subject, shard, state)
    SELECT after.id, moved.id, moved.shard, t.state
    FROM usage_states t
    JOIN usage_partitions p ON p.id = t.partition AND p.source = 'push' AND p.shard = 0
    JOIN usage_subjects s ON s.id = t.subject
    JOIN usage_subjects moved ON moved.organisation = s.organisation AND moved.key = s.key AND moved.shard > 0
    JOIN usage_partitions after
      ON after.organisation = p.organisation AND after.source = p.source AND after.shard = moved.shard;
  INSERT INTO usage_entities (partition, key, kind, cluster, last_hour, json, shard)
    SELECT after.id, e.key, e.kind, e.cluster, e.last_hour, e.json, after.shard
    FROM usage_entities e
    JOIN usage_partitions p ON p.id = e.partition AND p.source = 'push' AND p.shard = 0
    JOIN usage_partitions after ON after.organisation = p.organisation AND after.source = p.source
      AND after.shard = usage_shard(p.organisation, e.key);
  DELETE FROM usage_states t USING usage_partitions p WHERE p.id = t.partition AND p.source = 'push' AND p.shard = 0;
  DELETE FROM usage_entities e USING usage_partitions p WHERE p.id = e.partition AND p.source = 'push' AND p.shard = 0;
  DROP FUNCTION usage_shard(text, bytea);
  DROP FUNCTION usage_place(text, text);`
