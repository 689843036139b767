import './node-24.ts'
import { workerData } from 'node:worker_threads'
import { Transferred } from './request-channel.ts'
import { serveWorker } from './worker-thread.ts'

/** A worker for tests: it answers, fails, calls back and dies on request. */
let answered = 0
const server = serveWorker({
  methods: {
    echo: (...args: unknown[]) => args,
    later: async (value: unknown) => value,
    move: (buffer: ArrayBuffer) => new Transferred(buffer, [buffer]),
    refuse: (message: string) => {
      throw new RangeError(message)
    },
    uncloneable: async () => () => undefined,
    never: () => new Promise(() => undefined),
    ask: (question: string) => server.call('answer', [question]),
    answered: () => answered,
    die: () => process.exit(1),
  },
  afterCall: () => {
    answered++
  },
  onClose: () => server.emit('closing', 'bye'),
})
if (workerData === 'broken') server.failed(new RangeError('no such file'))
else server.ready()
