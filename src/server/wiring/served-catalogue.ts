import { CatalogueHolder } from '../../catalogue/catalogue.ts'
import {
  CatalogueFileError,
  type LoadedCatalogue,
  loadCatalogue,
  shippedCatalogue,
} from '../../catalogue/load-catalogue.ts'
import { catalogueFollower, unpackInThread } from '../../catalogue/refresh/follow.ts'
import { type BuildManifest, isNewerManifest } from '../../domain/manifest.ts'
import type { Provider } from '../../domain/provider.ts'
import type { ServiceContext } from './service-part.ts'

interface ServedCatalogueDeps extends Pick<ServiceContext, 'store' | 'log' | 'reportError'> {
  readonly file: string
  /** Those that are enabled. */
  readonly providers: readonly Provider[]
}

/** The catalogue that is served: first that of the file, then the prices that a refresh has published. */
export class ServedCatalogue {
  readonly current: CatalogueHolder['current']
  readonly #deps: ServedCatalogueDeps
  readonly #holder: CatalogueHolder
  readonly #follow: ReturnType<typeof catalogueFollower>
  #manifest: BuildManifest
  /** Whether the served catalogue was published, not read from the file. */
  #isPublished = false

  private constructor(deps: ServedCatalogueDeps, first: LoadedCatalogue) {
    this.#deps = deps
    this.#holder = new CatalogueHolder(first.catalogue)
    this.current = this.#holder.current
    this.#manifest = first.manifest
    this.#follow = catalogueFollower({
      store: deps.store,
      served: this.manifest,
      unpack: (bytes) => unpackInThread(bytes, deps.providers),
      serve: (next) => this.#servePublished(next),
      onUnreadable: ({ message }) =>
        deps.log(
          'error',
          `the published prices cannot be read (${message}); the current ones stay in use until new ones are published`,
        ),
    })
  }

  /** Reads the file. If it is not usable, the shipped catalogue is served instead. */
  static async load(deps: ServedCatalogueDeps): Promise<ServedCatalogue> {
    return new ServedCatalogue(deps, await loadFirst(deps))
  }

  /** An arrow function, like `current`, so that it can be passed on. */
  readonly manifest = (): BuildManifest => this.#manifest

  follow(): Promise<void> {
    return this.#follow()
  }

  /** Reads the file again. If it is not usable or older than the published prices, the served prices do not change. */
  async reload(): Promise<void> {
    const { file, providers, log, reportError } = this.#deps
    try {
      const next = await loadCatalogue(file, providers)
      if (this.#isPublished && isNewerManifest(this.#manifest, next.manifest)) {
        log(
          'info',
          `the catalogue was reloaded, built ${next.manifest.builtAt}; newer refreshed prices stay in use`,
        )
        return
      }
      this.#serve(next, 'the catalogue was reloaded')
      this.#isPublished = false
    } catch (error) {
      log('error', `${(error as Error).message}; the last valid catalogue stays in use`)
      return
    }
    await this.#follow({ force: true }).catch((error) =>
      reportError('warn', 'checking for published prices failed', error),
    )
  }

  #servePublished(next: LoadedCatalogue): void {
    const isRefreshed = next.manifest.builtAt !== this.#manifest.builtAt
    // If no list was read, the same prices are served; the node that tried logs why.
    this.#serve(next, isRefreshed ? 'refreshed prices are served' : undefined)
    this.#isPublished = true
  }

  #serve({ catalogue, manifest }: LoadedCatalogue, why: string | undefined): void {
    this.#holder.swap(catalogue)
    this.#manifest = manifest
    if (why !== undefined)
      this.#deps.log('info', `${why}: ${catalogue.offerCount} offers, built ${manifest.builtAt}`)
  }
}

async function loadFirst({ file, providers, log }: ServedCatalogueDeps): Promise<LoadedCatalogue> {
  try {
    return await loadCatalogue(file, providers)
  } catch (error) {
    if (!(error instanceof CatalogueFileError) || file === shippedCatalogue) throw error
    log('error', `${error.message}; the shipped catalogue is served instead`)
    return loadCatalogue(shippedCatalogue, providers)
  }
}
