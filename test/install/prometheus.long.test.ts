import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { metricRules } from '../../src/ingest/metrics/interpret.ts'
import { adapted, blockOf } from '../operations/pages.ts'
import { debianBinary } from '../peers/debian-binary.ts'
import { testWith } from '../peers/test-with.ts'
import { ask, type RunningService, startService } from '../service.ts'

const test = testWith('prometheus')

const directory = join(import.meta.dirname, '../../deploy/prometheus')
const read = (name: string) => readFileSync(join(directory, name), 'utf8')
const promtool = () => debianBinary('promtool', 'prometheus')
let service: RunningService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

test('promtool accepts the alert rules', () => {
  const said = execFileSync(promtool(), ['check', 'rules', join(directory, 'alerts.yml')], {
    encoding: 'utf8',
  })
  expect(said).toContain('SUCCESS')
})

test('a single 500 fires an alert', () => {
  const requests = 'cheapside_http_request_duration_seconds_count{instance="a",route="/v1/costs",status='
  const alert = {
    exp_labels: { instance: 'a', severity: 'warning' },
    exp_annotations: {
      summary: 'a answers with status 500; the log contains each error with its request id.',
    },
  }
  const at = (eval_time: string, ...exp_alerts: unknown[]) => ({
    eval_time,
    alertname: 'CheapsideErrors',
    exp_alerts,
  })
  const cases = {
    rule_files: [join(directory, 'alerts.yml')],
    tests: [
      {
        interval: '15s',
        input_series: [
          { series: `${requests}"200"}`, values: '5+1x200' },
          { series: `${requests}"500"}`, values: '_x20 1+0x200' },
        ],
        alert_rule_test: [at('5m'), at('12m', alert), at('40m')],
      },
    ],
  }
  const scratch = mkdtempSync(join(tmpdir(), 'cheapside-promtool-'))
  try {
    writeFileSync(join(scratch, 'cases.yml'), JSON.stringify(cases))
    execFileSync(promtool(), ['test', 'rules', join(scratch, 'cases.yml')])
  } finally {
    rmSync(scratch, { recursive: true })
  }
})

test('the threshold of the alert on slow answers is a bound of the histogram, so that it is not estimated', async () => {
  await service.request('/providers')
  const shown = (await ask(service.url, '/metrics')).text
  const [, seconds] = /histogram_quantile\(.* > (\S+)/.exec(read('alerts.yml'))!
  expect(shown).toMatch(new RegExp(`cheapside_http_request_duration_seconds_bucket\\{le="${seconds}"`))
})

test('alerts use only metrics that the service exports, and the guide explains what to do for each', async () => {
  await service.request('/providers')
  const shown = (await ask(service.url, '/metrics')).text
  const guide = readFileSync(join(directory, '../../docs/operations/monitoring.md'), 'utf8')
  for (const [name] of read('alerts.yml').matchAll(/\b(cheapside|process)_\w+/g))
    expect(shown, name).toContain(`# HELP ${name.replace(/_(bucket|count|sum)$/, '')} `)
  for (const [, alert] of read('alerts.yml').matchAll(/alert: (\w+)/g))
    expect(guide).toContain(`\`${alert}\``)
})

test('promtool accepts the configuration of the guide', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'cheapside-promtool-'))
  try {
    const file = join(scratch, 'prometheus.yml')
    const rules = { '/etc/prometheus/cheapside-alerts.yml': join(directory, 'alerts.yml') }
    writeFileSync(file, adapted(blockOf('monitoring.md', 'yaml'), rules))
    expect(execFileSync(promtool(), ['check', 'config', file], { encoding: 'utf8' })).toContain('SUCCESS')
  } finally {
    rmSync(scratch, { recursive: true })
  }
})

test('promtool accepts the configuration for remote write, which selects exactly the metrics that are read', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'cheapside-promtool-'))
  try {
    const file = join(scratch, 'prometheus.yml')
    writeFileSync(join(scratch, 'cheapside.key'), 'csk_')
    writeFileSync(
      file,
      read('remote-write.yml').replace('/etc/prometheus/cheapside.key', join(scratch, 'cheapside.key')),
    )
    expect(execFileSync(promtool(), ['check', 'config', file], { encoding: 'utf8' })).toContain('SUCCESS')
  } finally {
    rmSync(scratch, { recursive: true })
  }
  const example = '../../examples/prometheus/prometheus.yml'
  for (const name of ['remote-write.yml', 'kube-prometheus-stack-values.yaml', example])
    expect(/regex: (\S+)/.exec(read(name))![1]!.split('|')).toEqual(Object.keys(metricRules))
})

test('promtool accepts the configuration of the examples', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'cheapside-examples-'))
  try {
    const file = join(scratch, 'prometheus.yml')
    writeFileSync(file, read('../../examples/prometheus/prometheus.yml'))
    expect(execFileSync(promtool(), ['check', 'config', file], { encoding: 'utf8' })).toContain('SUCCESS')
  } finally {
    rmSync(scratch, { recursive: true })
  }
})
