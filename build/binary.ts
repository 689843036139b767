import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle } from './bundle.ts'

// npm run build:binary [-- --platform linux-arm64] [-- --to out]
// Makes one executable with everything inside: Node, server, command line, agent, console and catalogue.

const root = join(import.meta.dirname, '..')
const platforms = ['linux-x64', 'linux-arm64']
const { values } = parseArgs({
  options: {
    platform: { type: 'string', default: `${process.platform}-${process.arch}` },
    to: { type: 'string', default: join(root, 'out') },
  },
})
if (!platforms.includes(values.platform)) {
  console.error(`There is a single file for ${platforms.join(' and ')}, not for ${values.platform}`)
  process.exit(2)
}
const executable = nodeFor(values.platform)
const work = join(values.to, `work-${values.platform}`)
rmSync(work, { recursive: true, force: true })
mkdirSync(work, { recursive: true })

if (!existsSync(join(root, 'web/dist/index.html')))
  execFileSync(process.execPath, [join(root, 'web/build.ts')], { stdio: 'inherit' })
const { main, threads } = await bundle('src/main.ts')
const assets: Record<string, string> = {}
for (const [name, code] of threads) assets[name] = written(name, code)
const patterns = [
  'catalogue/*.{catalogue,json}',
  'web/dist/**/*.*',
  'docs/*.md',
  'docs/{algorithms,how-to,operations}/*.md',
]
const shipped = ['package.json', ...globSync(patterns, { cwd: root })]
for (const path of shipped) assets[path] = join(root, path)

const output = join(values.to, `cheapside-${values.platform}`)
const configuration = {
  main: written('main.js', main),
  mainFormat: 'module',
  executable,
  output,
  assets,
  disableExperimentalSEAWarning: true,
  // Only the same Node binary can use code that is compiled here. The program then starts in two thirds of the time.
  useCodeCache: values.platform === `${process.platform}-${process.arch}`,
}
const file = written('sea.json', JSON.stringify(configuration))
execFileSync(process.execPath, ['--build-sea', file], { stdio: ['ignore', 'ignore', 'inherit'] })
rmSync(work, { recursive: true })
const own = [...threads.values(), main].reduce((sum, code) => sum + code.length, 0)
console.log(
  `${output}: ${mb(statSync(output).size)} MB, of which Node ${mb(statSync(executable).size)} MB and code ${mb(own)} MB`,
)

function written(name: string, text: string): string {
  const path = join(work, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** Returns the Node binary that npm installed for this platform; downloads that of another platform from npm. */
function nodeFor(platform: string): string {
  const name = `node-${platform}`
  const require = createRequire(import.meta.url)
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), 'bin/node')
  } catch {
    const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).optionalDependencies[name]
    const directory = join(values.to, `${name}-${version}`)
    if (!existsSync(join(directory, 'package/bin/node'))) {
      mkdirSync(directory, { recursive: true })
      execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { cwd: directory, stdio: 'ignore' })
      execFileSync('tar', ['xzf', `${name}-${version}.tgz`, 'package/bin/node'], { cwd: directory })
      rmSync(join(directory, `${name}-${version}.tgz`))
    }
    return join(directory, 'package/bin/node')
  }
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
