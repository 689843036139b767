import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OwnTestPostgres, startOwnPostgres } from '../../test/peers/postgres.ts'
import { ask, eventually, type RunningService, startService } from '../../test/service.ts'

export type Database = 'sqlite' | 'postgres'

/** The service under load, which is killed and restarted on the same data. */
export class Target {
  readonly database: Database
  /** Why a full disk cannot be tested; '' if it can. */
  readonly noFullDisk: string
  readonly #directory: string
  readonly #postgres: OwnTestPostgres | undefined
  readonly #databaseUrl: string | undefined
  #service: RunningService
  readonly key: string
  starts = 1

  private constructor(parts: {
    database: Database
    noFullDisk: string
    directory: string
    postgres: OwnTestPostgres | undefined
    databaseUrl: string | undefined
    service: RunningService
  }) {
    this.database = parts.database
    this.noFullDisk = parts.noFullDisk
    this.#directory = parts.directory
    this.#postgres = parts.postgres
    this.#databaseUrl = parts.databaseUrl
    this.#service = parts.service
    this.key = parts.service.key
  }

  static async start(database: Database): Promise<Target> {
    const directory = mkdtempSync(join(tmpdir(), 'cheapside-soak-'))
    const noFullDisk = database === 'sqlite' ? mountSmallDisk(directory) : 'the disk is that of PostgreSQL'
    const postgres = database === 'postgres' ? await startOwnPostgres() : undefined
    const databaseUrl = await postgres?.createDatabase()
    const service = await startService({ env: environment(databaseUrl), directory })
    await becomesReady(service)
    return new Target({ database, noFullDisk, directory, postgres, databaseUrl, service })
  }

  get url(): string {
    return this.#service.url
  }

  get pid(): number {
    return this.#service.child.pid!
  }

  /** False if the service ended by itself. */
  get isRunning(): boolean {
    return this.#service.child.exitCode === null && this.#service.child.signalCode === null
  }

  /** Where its data can be read by another process. */
  get storeAt(): { directory: string } | { databaseUrl: string } {
    return this.#databaseUrl === undefined
      ? { directory: this.#directory }
      : { databaseUrl: this.#databaseUrl }
  }

  async killAndStart(): Promise<void> {
    await this.#service.kill()
    this.#service = await startService({
      env: environment(this.#databaseUrl),
      directory: this.#directory,
      withoutKey: true,
    })
    this.starts++
    await becomesReady(this.#service)
  }

  async restartPostgres(): Promise<void> {
    await this.#postgres?.restart()
  }

  /** Fills the disk completely until the returned function is called. */
  fillDisk(): () => void {
    const filler = join(this.#directory, 'filler')
    const { bavail, bsize } = statfsSync(this.#directory)
    for (let bytes = bavail * bsize; bytes >= 4096; bytes = Math.floor(bytes / 2))
      try {
        writeFileSync(filler, Buffer.alloc(bytes), { flag: 'a' })
      } catch {
        // The service took space meanwhile: the next attempt is smaller.
      }
    return () => rmSync(filler, { force: true })
  }

  async ready(): Promise<void> {
    await becomesReady(this.#service)
  }

  async stop(): Promise<void> {
    await this.#service.kill()
    await this.#postgres?.stop()
    if (this.noFullDisk === '') execFileSync('umount', [this.#directory])
    rmSync(this.#directory, { recursive: true, force: true })
  }
}

const smallDiskMib = 384

/** Returns why the disk could not be mounted; '' if it was. */
function mountSmallDisk(directory: string): string {
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${smallDiskMib}m`, 'tmpfs', directory]
    execFileSync('mount', options, { stdio: 'pipe' })
    return ''
  } catch {
    return 'a small disk may not be mounted here (root may)'
  }
}

/** Small heaps make a leak visible within minutes. Without a limit V8 would not collect garbage for that long. */
const heapOptions = '--max-old-space-size=192 --max-semi-space-size=8'

const environment = (databaseUrl: string | undefined): Record<string, string> => ({
  CHEAPSIDE_RATE_LIMIT: '0',
  CHEAPSIDE_LOG_LEVEL: 'fatal',
  CHEAPSIDE_METADATA_URL: 'none',
  NODE_OPTIONS: heapOptions,
  ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
})

async function becomesReady({ url, child }: RunningService): Promise<void> {
  await eventually(async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the service ended by itself')
    return ask(url, '/readyz').then(
      ({ status }) => status === 200,
      () => false,
    )
  })
}
