import type { ResourceResult, SetResult } from './examine.ts'
import type { Score } from './score.ts'

const panel = { width: 330, height: 230, left: 46, right: 12, top: 30, bottom: 34 }
const rampOf = (part: ResourceResult): Score[] => part.frontier.map(({ score }) => score)

/**
 * Plots risk (logarithmic) against cost, one panel per set and resource: our frontier as a line, public policies as
 * dots.
 */
export function plot(results: readonly SetResult[]): string {
  const panels = results.flatMap(({ set, cadences }) => {
    const { cpu, memory } = cadences[0]!
    return [
      { title: `${set}, CPU`, part: cpu },
      ...(memory ? [{ title: `${set}, memory`, part: memory }] : []),
    ]
  })
  const columns = 2
  const rows = Math.ceil(panels.length / columns)
  const body = panels.map(({ title, part }, i) => {
    const [x, y] = [(i % columns) * panel.width, Math.floor(i / columns) * panel.height]
    return `<g transform="translate(${x} ${y})">${drawPanel(title, part)}</g>`
  })
  const [width, height] = [columns * panel.width, rows * panel.height]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="9">
<title>Risk against cost, of our profiles and of every baseline</title>
<rect width="${width}" height="${height}" fill="#fff"/>
${body.join('\n')}
</svg>
`
}

function drawPanel(title: string, part: ResourceResult): string {
  const theirs = part.comparisons.map(({ policy, theirs: score }) => ({ policy, score }))
  const risks = theirs.map(({ score }) => Math.max(score.violation, 1e-4))
  const costs = theirs.map(({ score }) => score.usdPerMonth)
  const [leastRisk, mostRisk] = [Math.min(...risks) / 1.6, Math.max(...risks) * 1.6]
  const [minCost, maxCost] = [Math.min(...costs) * 0.8, Math.max(...costs) * 1.05]
  const inner = {
    width: panel.width - panel.left - panel.right,
    height: panel.height - panel.top - panel.bottom,
  }
  const x = (risk: number): number =>
    panel.left + (Math.log(risk / leastRisk) / Math.log(mostRisk / leastRisk)) * inner.width
  const y = (usd: number): number => panel.top + (1 - (usd - minCost) / (maxCost - minCost)) * inner.height
  const line = lowerEdge(rampOf(part))
    .filter(
      ({ violation, usdPerMonth }) =>
        violation >= leastRisk && violation <= mostRisk && usdPerMonth <= maxCost,
    )
    .map(({ violation, usdPerMonth }) => `${x(violation).toFixed(1)},${y(usdPerMonth).toFixed(1)}`)
  const ticks = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5].filter(
    (t) => t > leastRisk && t < mostRisk,
  )
  return [
    `<text x="${panel.left}" y="18" font-size="11">${title}</text>`,
    `<rect x="${panel.left}" y="${panel.top}" width="${inner.width}" height="${inner.height}" fill="none" stroke="#bbb"/>`,
    ...ticks.map(
      (t) =>
        `<text x="${x(t).toFixed(1)}" y="${panel.height - 20}" text-anchor="middle" fill="#555">${t * 100}%</text>`,
    ),
    ...[minCost, (minCost + maxCost) / 2, maxCost].map(
      (usd) =>
        `<text x="${panel.left - 4}" y="${(y(usd) + 3).toFixed(1)}" text-anchor="end" fill="#555">$${usd.toFixed(1)}</text>`,
    ),
    `<polyline points="${line.join(' ')}" fill="none" stroke="#0a7" stroke-width="1.6"/>`,
    ...theirs.map(({ policy, score }) => {
      const [px, py] = [x(Math.max(score.violation, 1e-4)).toFixed(1), y(score.usdPerMonth).toFixed(1)]
      return `<circle cx="${px}" cy="${py}" r="2.6" fill="#c33"/><text x="${px}" y="${(Number(py) - 5).toFixed(1)}" text-anchor="middle" fill="#733" font-size="8">${policy}</text>`
    }),
    `<text x="${panel.width - panel.right}" y="${panel.height - 8}" text-anchor="end" fill="#555">risk</text>`,
  ].join('\n')
}

/** Returns the cheapest points in order of decreasing risk. */
function lowerEdge(scores: readonly Score[]): Score[] {
  const sorted = [...scores].sort((a, b) => a.usdPerMonth - b.usdPerMonth)
  const edge: Score[] = []
  for (const score of sorted) if (score.violation < (edge.at(-1)?.violation ?? 2)) edge.push(score)
  return edge
}
