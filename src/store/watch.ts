import type { ChangeFeed } from './port.ts'

export interface ChangeWatch {
  /** Start of the last successful read of versions, by the given clock; undefined before the first one. */
  readonly lastReadAt: number | undefined
  /** The same, but at most the last time at which the listener was up to date with this topic. */
  freshAt(topic: string): number | undefined
  /** Polls now. Resolves when the listener has handled every change; never rejects. */
  checkNow(): Promise<void>
  stop(): void
}

interface ChangeWatchOptions {
  readonly pollMs: number
  /** Called for every topic at the first poll, then for each that changed. If it fails, it is called again at the next poll. */
  onChange(topic: string): void | Promise<void>
  onError(error: unknown): void
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number
}

interface Topic {
  /** The version that the listener has handled. */
  seen: number | undefined
  /** The version that the last read found. */
  latest: number
  freshAt: number | undefined
  reload: Promise<void> | undefined
}

/** Soon after a hint, at the latest after a poll. There is one poll at a time and one reload per topic. */
export function watchChanges(changes: ChangeFeed, options: ChangeWatchOptions): ChangeWatch {
  const now = options.now ?? (() => performance.now())
  const topics = new Map<string, Topic>()
  let lastReadAt: number | undefined
  let reading: Promise<void> | undefined
  let again = false
  let stopped = false
  let timer: NodeJS.Timeout | undefined

  async function read(): Promise<void> {
    const startedAt = now()
    try {
      const versions = await changes.versions()
      if (stopped) return
      // A topic that disappeared, for example after a restore from a backup, has changed as well.
      for (const name of topics.keys()) if (!versions.has(name)) versions.set(name, 0)
      for (const [name, version] of versions) follow(name, version, startedAt)
      lastReadAt = startedAt
    } catch (error) {
      options.onError(error)
    }
  }

  function follow(name: string, version: number, readAt: number): void {
    const unknown: Topic = { seen: undefined, latest: version, freshAt: undefined, reload: undefined }
    const topic = topics.getOrInsert(name, unknown)
    topic.latest = version
    if (topic.seen === version) topic.freshAt = readAt
    else {
      topic.reload ??= reload(name, topic, version, readAt).then((succeeded) => {
        topic.reload = undefined
        if (succeeded && topic.latest !== version) void check()
      })
    }
  }

  async function reload(name: string, topic: Topic, version: number, readAt: number): Promise<boolean> {
    try {
      await options.onChange(name)
      topic.seen = version
      topic.freshAt = readAt
      return true
    } catch (error) {
      options.onError(error)
      return false
    }
  }

  /** A hint during a read causes one more read, since the current one may have come too early. */
  async function readInTurn(): Promise<void> {
    clearTimeout(timer)
    do {
      again = false
      await read()
    } while (again && !stopped)
    reading = undefined
    if (!stopped) timer = setTimeout(check, options.pollMs).unref()
  }

  function check(): Promise<void> {
    if (reading !== undefined) again = true
    else if (!stopped) reading = readInTurn()
    return reading ?? Promise.resolve()
  }

  const unsubscribe = changes.subscribe(() => void check())
  void check()
  return {
    get lastReadAt() {
      return lastReadAt
    },
    freshAt(topic) {
      const known = topics.get(topic)
      return known === undefined ? lastReadAt : known.freshAt
    },
    async checkNow() {
      await check()
      await Promise.all([...topics.values()].map((topic) => topic.reload))
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      unsubscribe()
    },
  }
}
