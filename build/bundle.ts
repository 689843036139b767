import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'vite'

const root = join(import.meta.dirname, '..')

/** The JavaScript of a program, and of each thread that it starts; the keys are the names by which it starts them. */
export interface Bundles {
  readonly main: string
  readonly threads: ReadonlyMap<string, string>
}

/** Bundles an entry point with everything it imports, dependencies included, and the threads that it starts. */
export async function bundle(entry: string): Promise<Bundles> {
  const threads = new Map<string, string>()
  const waiting: string[] = []
  const onThread = (file: string) => {
    const name = nameOf(file)
    if (threads.has(name)) return
    threads.set(name, '')
    waiting.push(file)
  }
  const main = await bundleOne(join(root, entry), onThread)
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
    threads.set(nameOf(file), await bundleOne(file, onThread))
  return { main, threads }
}

const nameOf = (file: string): string =>
  `threads/${relative(join(root, 'src'), file).replace(/\.ts$/, '.js')}`

async function bundleOne(entry: string, onThread: (file: string) => void): Promise<string> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'warn',
    json: { stringify: true },
    plugins: [threadsFromAssets(onThread)],
    ssr: { noExternal: true, external: ['pg-native'], target: 'node' },
    build: {
      ssr: entry,
      write: false,
      target: 'node26',
      rolldownOptions: {
        output: {
          format: 'es',
          codeSplitting: false,
          // Names stay, so that a stack trace can be read.
          minify: { mangle: false, compress: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  })
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  const code = outputs.flatMap((one) => (one.type === 'chunk' ? [one.code] : []))
  if (code.length !== 1) throw new Error(`${entry} became ${code.length} files of JavaScript instead of one`)
  // Only Node's own modules are left to be required; code inside an executable has no file to start from.
  return code[0]!.replaceAll('createRequire(import.meta.url)', 'createRequire(process.execPath)')
}

/** A thread's script is an asset of the executable, which Node takes as a data: URL. */
function threadsFromAssets(onThread: (file: string) => void): Plugin {
  return {
    name: 'threads-from-assets',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(join(root, 'src'))) return undefined
      return code.replace(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g, (_, path: string) => {
        const file = join(dirname(id), path)
        onThread(file)
        const asset = `process.getBuiltinModule('node:sea').getAsset(${JSON.stringify(nameOf(file))})`
        return `new URL('data:text/javascript;base64,' + Buffer.from(${asset}).toString('base64'))`
      })
    },
  }
}
