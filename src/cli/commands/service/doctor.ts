import type { CatalogueDescription } from '../../../catalogue/schema.ts'
import { dayMs } from '../../../domain/time.ts'
import { oldAfterDays } from '../../../pricing/compare/comparison.ts'
import type { UsageSource } from '../../../usage/source-schema.ts'
import {
  type Call,
  type Command,
  CommandFailure,
  type ExitCode,
  exitCode,
  textOption,
} from '../../command.ts'
import type { ServiceClient } from '../../server.ts'
import { withService } from '../../with-service.ts'

/** failed: something does not work; warning: it works, but less than it could. */
export interface Finding {
  readonly check: string
  readonly verdict: 'ok' | 'warning' | 'failed'
  readonly text: string
}

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check service, database, prices and each source of usage; exit 1 if something failed',
  settings: ['server', 'data', 'catalogue'],
  options: {
    from: textOption('URL', 'Also check what this PromQL engine has, before anything is collected from it'),
    'bearer-file': textOption('FILE', 'File with the bearer token for the engine'),
    tenant: textOption('NAME', 'Tenant of the engine to query, sent as X-Scope-OrgID'),
  },
  run: async (call) => {
    const findings: Finding[] = []
    const add = (...more: readonly Finding[]) => findings.push(...more)
    add(...(await checkService(call)))
    if (call.text('from') !== undefined) add(...(await checkEngine(call)))
    if (call.json) call.out(JSON.stringify(findings))
    else {
      const { renderTable } = await import('../../render/table.ts')
      // Without a head, long texts are wrapped, not shortened: they end with the remedy.
      call.out(renderTable(findings.map(({ check, verdict, text }) => [verdict, check, text])))
    }
    return verdictOf(findings)
  },
}

const verdictOf = (findings: readonly Finding[]): ExitCode =>
  findings.some(({ verdict }) => verdict === 'failed') ? exitCode.failed : exitCode.done

async function checkService(call: Call): Promise<Finding[]> {
  const { server, databaseUrl } = call.settings
  const findings: Finding[] = []
  if (server !== '') {
    const ready = await checked('server', () => checkReady(server))
    findings.push(ready)
    if (ready.verdict === 'failed') return findings
  }
  const database = server === '' ? (databaseUrl === '' ? 'embedded' : 'PostgreSQL') : 'of the service'
  try {
    await withService(call, async (service) => {
      const sources = await service.ask<UsageSource[]>('/v1/sources')
      findings.push({ check: 'database', verdict: 'ok', text: `${database}; it answers` })
      findings.push(await checked('prices', () => checkPrices(call, service)))
      findings.push(...checkSources(sources))
    })
  } catch (error) {
    findings.push({ check: 'database', verdict: 'failed', text: (error as Error).message })
  }
  return findings
}

async function checked(check: string, run: () => Promise<Omit<Finding, 'check'>>): Promise<Finding> {
  try {
    return { check, ...(await run()) }
  } catch (error) {
    return { check, verdict: 'failed', text: (error as Error).message }
  }
}

/** A busy service answers late, and one that does not answer at all must not be waited for. */
const timeoutMs = 10_000

async function checkReady(server: string): Promise<Omit<Finding, 'check'>> {
  const response = await fetch(`${server}/readyz`, { signal: AbortSignal.timeout(timeoutMs) }).catch(
    (error: Error) => {
      throw new CommandFailure(
        `${server} cannot be reached: ${(error.cause as Error)?.message ?? error.message}`,
      )
    },
  )
  const text = await response.text()
  if (response.status !== 200) throw new CommandFailure(`${server} is not ready: ${text.slice(0, 200)}`)
  return { verdict: 'ok', text: `${server} is ready` }
}

async function checkPrices(call: Call, service: ServiceClient): Promise<Omit<Finding, 'check'>> {
  const { providers } =
    call.settings.server === ''
      ? await describeShipped(call)
      : await service.ask<CatalogueDescription>('/catalogue')
  return priceAges(providers, Date.now())
}

/** How old the newest prices of each provider are, whenever the catalogue was built. */
export function priceAges(
  providers: readonly Pick<
    CatalogueDescription['providers'][number],
    'provider' | 'oldest_day' | 'newest_day'
  >[],
  nowMs: number,
): Omit<Finding, 'check'> {
  const oldest = providers.flatMap(({ oldest_day }) => oldest_day ?? []).sort()[0]
  const dated = providers
    .flatMap(({ provider, newest_day: day }) => (day === null ? [] : [{ provider, day }]))
    .map((each) => ({ ...each, age: Math.floor((nowMs - Date.parse(each.day)) / dayMs) }))
    .sort((a, b) => a.age - b.age)
  if (oldest === undefined || dated.length === 0) return { verdict: 'warning', text: 'no price has a date' }
  const span = `oldest of ${oldest}, newest of ${dated[0]!.day}`
  const old = dated.filter(({ age }) => age > oldAfterDays)
  if (old.length === 0) return { verdict: 'ok', text: span }
  const named = old.map(({ provider, age }) => `${provider} ${age}`).join(', ')
  return {
    verdict: 'warning',
    text: `${span}; over ${oldAfterDays} days old, by the newest price: ${named} days. Renew: cheapside catalogue refresh`,
  }
}

async function describeShipped({ settings }: Call): Promise<CatalogueDescription> {
  const { loadCatalogue, shippedCatalogue } = await import('../../../catalogue/load-catalogue.ts')
  const { describeManifest } = await import('../../../catalogue/describe-catalogue.ts')
  const { enabledProviders } = await import('../../../pricing/market.ts')
  const { providers } = enabledProviders(settings.providers)
  const { catalogue, manifest } = await loadCatalogue(settings.catalogue || shippedCatalogue, providers)
  return describeManifest(catalogue.id, catalogue.offerCount, manifest, providers)
}

function checkSources(sources: readonly UsageSource[]): Finding[] {
  if (sources.length === 0)
    return [{ check: 'usage', verdict: 'warning', text: 'no cluster and no machine sends usage yet' }]
  return sources.flatMap((source): Finding[] => {
    const check = `${source.kind} ${source.name}`
    if (source.is_silent)
      return [
        {
          check,
          verdict: 'failed' as const,
          text: `silent: the last sample is of ${(source.last_sample ?? source.last_seen).slice(0, 16).replace('T', ' ')} UTC`,
        },
      ]
    const problems = source.problems.map(({ code, message }) => ({
      check,
      verdict: code === 'essential-metric-missing' ? ('failed' as const) : ('warning' as const),
      text: message,
    }))
    const named = new Set(source.problems.map(({ message }) => message))
    const missing = source.missing
      .filter(({ metrics: [metric] }) => ![...named].some((message) => message.includes(metric!)))
      .map(({ metrics: [metric], unlocks, is_optional }) => ({
        check,
        verdict: is_optional ? ('ok' as const) : ('warning' as const),
        text: `no ${metric}: ${unlocks}`,
      }))
    const findings = [...problems, ...missing]
    if (findings.some(({ verdict }) => verdict !== 'ok')) return findings
    const every = source.interval_seconds === null ? '' : `, every ${source.interval_seconds} s`
    return [{ check, verdict: 'ok' as const, text: `${source.metrics.length} metrics${every}` }, ...findings]
  })
}

/** Looks at the names of metrics of the last hour, and at the values of the cluster label. */
async function checkEngine(call: Call): Promise<Finding[]> {
  const url = call.requiredText('from')
  const check = `engine ${url}`
  const { collectionClient } = await import('../../../ingest/collect-usage.ts')
  const { clusterMetrics, missingOf } = await import('../../../usage/source-metrics.ts')
  try {
    const settings = {
      ...{ organisation: '', cluster: '', url, days: 1, matchers: '' },
      bearerFile: call.text('bearer-file') ?? '',
      tenant: call.text('tenant') ?? '',
    }
    const client = await collectionClient(settings, AbortSignal.timeout(timeoutMs))
    const now = Date.now()
    const names = new Set(await client.labelValues('__name__', now - 3_600_000, now))
    const clusters = await client.labelValues('cluster', now - 3_600_000, now)
    const missing = missingOf(clusterMetrics, (name) => names.has(name)).map(
      ({ metrics: [metric], unlocks, isEssential, isOptional }): Finding => ({
        check,
        verdict: isEssential ? 'failed' : isOptional ? 'ok' : 'warning',
        text: `no ${metric}: ${unlocks}`,
      }),
    )
    const labels: Finding =
      clusters.length === 0
        ? { check, verdict: 'warning', text: 'no cluster label: give collect the name with --cluster' }
        : { check, verdict: 'ok', text: `clusters: ${clusters.slice(0, 10).join(', ')}` }
    return [{ check, verdict: 'ok', text: `it answers, with ${names.size} metrics` }, labels, ...missing]
  } catch (error) {
    const { name, message } = error as Error
    const text = ['TimeoutError', 'AbortError'].includes(name)
      ? `no answer within ${timeoutMs / 1000} seconds`
      : message
    return [{ check, verdict: 'failed', text }]
  }
}
