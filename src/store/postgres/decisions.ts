import { type DecisionRow, decisionKeys, decisionShard } from '../decision-row.ts'
import type { DecisionStore } from '../port-decisions.ts'
import { bufferOf, type Database, ensureOrganisation } from './database.ts'

export function postgresDecisions(db: Database): DecisionStore {
  return {
    async read(organisation, place, names, { from, to }) {
      const keys = decisionKeys(place)
      const days = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
      const rows = await db.rows<DecisionRow>(
        `SELECT subject, day, bytes FROM decisions
         WHERE organisation = $1 AND day = ANY ($2::integer[]) AND subject = ANY ($3::bytea[]) AND shard = $4
         ORDER BY day`,
        [organisation, days, names.map(keys.bytesOf), decisionShard(organisation, place)],
      )
      return rows.map(keys.fromRow)
    },
    write: (organisation, place, decisions) =>
      db.inTransaction(async (client) => {
        const keys = decisionKeys(place)
        const rows = decisions
          .map(({ name, day, bytes }) => ({ subject: keys.bytesOf(name), day, bytes: bufferOf(bytes) }))
          // Two writers that insert in the same order do not wait for each other in a circle.
          .sort((a, b) => a.day - b.day || Buffer.compare(a.subject, b.subject))
        await ensureOrganisation(client, organisation)
        await client.query(
          `INSERT INTO decisions (organisation, day, subject, shard, bytes)
           SELECT $1, sent.day, sent.subject, $2, sent.bytes
           FROM unnest($3::integer[], $4::bytea[], $5::bytea[]) WITH ORDINALITY AS sent (day, subject, bytes, place)
           ORDER BY sent.place
           ON CONFLICT (organisation, day, subject, shard) DO UPDATE SET bytes = excluded.bytes`,
          [
            organisation,
            decisionShard(organisation, place),
            rows.map(({ day }) => day),
            rows.map(({ subject }) => subject),
            rows.map(({ bytes }) => bytes),
          ],
        )
      }),
    async prune(organisation, beforeDay, maxRows) {
      const gone = await db.rows(
        `DELETE FROM decisions d USING (
           SELECT day, subject, shard FROM decisions
           WHERE organisation = $1 AND day < $2 ORDER BY day LIMIT $3) AS old
         WHERE d.organisation = $1 AND d.day = old.day AND d.subject = old.subject AND d.shard = old.shard
         RETURNING 1`,
        [organisation, beforeDay, maxRows],
      )
      return gone.length
    },
  }
}
