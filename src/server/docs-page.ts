import { problemTable } from '../domain/problem.ts'
import type { JsonSchema, OpenApiDocument, OpenApiResponse, Operation, Parameter } from './openapi.ts'

/** Renders the API document as one HTML page without scripts; it loads only its stylesheet. */
export function renderDocs(api: OpenApiDocument): string {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  )
  const sections = [...Map.groupBy(operations, ({ operation }) => operation.tags[0]!)]
  const contents = sections.map(
    ([tag, list]) =>
      `<li>${text(tag)}<ul>${list.map(({ method, path }) => `<li><a href="#${anchor(method, path)}"><b>${method.toUpperCase()}</b> ${text(path)}</a></li>`).join('')}</ul></li>`,
  )
  const bodies = sections.map(
    ([tag, list]) =>
      `<section><h2>${text(tag)}</h2>${list.map(({ method, path, operation }) => renderOperation(method, path, operation)).join('')}</section>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Cheapside API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/docs.css"></head>
<body><nav aria-label="Contents"><p><a href="/">Back to the console</a></p><h1>Cheapside API <small>${text(api.info.version)}</small></h1><ul>${contents.join('')}
<li><a href="#problems">Problems</a></li><li><a href="/openapi.json">openapi.json</a></li></ul></nav>
<main><p class="lead">${prose(api.info.description)}</p>${bodies.join('')}${renderProblems()}</main></body></html>`
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const body = operation.requestBody?.content['application/json']?.schema
  const scope = operation['x-scope']
  return `<article id="${anchor(method, path)}"><h3><span class="${method}">${method.toUpperCase()}</span> <code>${text(path)}</code></h3>
<p><b>${text(operation.summary)}</b> ${prose(operation.description ?? '')}</p>
<p class="scope">${scope === undefined ? 'Needs no key.' : scope === 'any' ? 'Needs a key, of any scope.' : `Needs a key with the scope <code>${text(scope)}</code>.`}</p>
${operation.parameters === undefined ? '' : `<h4>Parameters</h4><dl>${operation.parameters.map(renderParameter).join('')}</dl>`}
${body === undefined ? '' : `<h4>Body</h4>${renderSchema(body)}`}
<h4>Answers</h4><dl>${Object.entries(operation.responses).map(renderAnswer).join('')}</dl></article>`
}

function renderParameter(parameter: Parameter): string {
  return `<dt><code>${text(parameter.name)}</code> <i>${typeOf(parameter.schema)}, in the ${parameter.in}${parameter.required ? ', required' : ''}</i></dt><dd>${prose(parameter.description ?? '')}</dd>`
}

function renderAnswer([status, answer]: [string, OpenApiResponse]): string {
  const [media] = Object.values(answer.content ?? {})
  const schema = media === undefined || media.schema.$ref !== undefined ? '' : renderSchema(media.schema)
  return `<dt><code>${status}</code></dt><dd>${prose(answer.description).replaceAll('\n\n', '<br>')}${schema}</dd>`
}

function renderSchema(schema: JsonSchema): string {
  const forms = (schema.anyOf as JsonSchema[] | undefined)?.map(renderSchema).filter((form) => form !== '')
  if (forms !== undefined) return forms.join('<p>or</p>')
  const items = schema.items as JsonSchema | undefined
  if (items !== undefined) return `<p>An array of ${typeOf(items)}:</p>${renderSchema(items)}`
  const properties = schema.properties as Record<string, JsonSchema> | undefined
  if (properties === undefined)
    return schema.description === undefined ? '' : `<p>${prose(String(schema.description))}</p>`
  const required = new Set((schema.required as string[] | undefined) ?? [])
  return `<dl>${Object.entries(properties)
    .map(([name, property]) => {
      const nested =
        property.properties !== undefined ||
        (property.items as JsonSchema | undefined)?.properties !== undefined
      return `<dt><code>${text(name)}</code> <i>${typeOf(property)}${required.has(name) ? ', required' : ''}</i></dt><dd>${prose(String(property.description ?? ''))}${nested ? renderSchema(property) : ''}</dd>`
    })
    .join('')}</dl>`
}

function typeOf(schema: JsonSchema): string {
  if (schema.enum !== undefined)
    return (schema.enum as unknown[]).map((value) => text(JSON.stringify(value))).join(' | ')
  if (schema.const !== undefined) return text(JSON.stringify(schema.const))
  if (schema.anyOf !== undefined) return (schema.anyOf as JsonSchema[]).map(typeOf).join(' | ')
  if (schema.type === 'array') return `array of ${typeOf(schema.items as JsonSchema)}`
  return text([schema.type ?? 'any', schema.format].filter(Boolean).join(', '))
}

function renderProblems(): string {
  const rows = Object.entries(problemTable).map(
    ([code, [status, , meaning]]) =>
      `<tr><td>${status}</td><td><code>${code}</code></td><td>${prose(meaning)}</td></tr>`,
  )
  return `<section id="problems"><h2>Problems</h2><p>Errors are <code>application/problem+json</code> (RFC 9457); <code>code</code> is stable.</p>
<table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>`
}

function anchor(method: string, path: string): string {
  return `${method}${path.replace(/[^\w]+/g, '-')}`
}

function text(value: string): string {
  return value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Names between backticks are code, as in Markdown. */
const prose = (value: string): string => text(value).replace(/`([^`]+)`/g, '<code>$1</code>')

export const docsStyle = `:root{color-scheme:light dark;--line:light-dark(#d8d8d2,#3a3d42);--soft:light-dark(#f4f3ee,#1e2024);--ink:light-dark(#1d2024,#e8e8e4);--accent:light-dark(#0b6e4f,#5fd0a5)}
*{box-sizing:border-box}body{margin:0;display:grid;grid-template-columns:19rem minmax(0,1fr);font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:light-dark(#fff,#15171a)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem;background:var(--soft);border-right:1px solid var(--line);font-size:.875rem}
nav ul{list-style:none;padding:0;margin:0 0 .75rem}nav li{margin:.35rem 0}nav li li{margin:.15rem 0 .15rem .5rem;overflow-wrap:anywhere}nav b{font-size:.7rem;opacity:.75}
a{color:var(--accent);text-decoration:none}a:hover,a:focus-visible{text-decoration:underline}h1{font-size:1.25rem;margin:0 0 1rem}h1 small{font-weight:400;opacity:.65}
main{padding:2rem clamp(1rem,4vw,4rem);max-width:60rem}.lead{font-size:1.1rem}h2{margin:3rem 0 1rem;border-bottom:1px solid var(--line);padding-bottom:.3rem}
article{margin:0 0 2.5rem;scroll-margin-top:1rem}h3{margin:0 0 .5rem;font-size:1.05rem}h3 span{display:inline-block;min-width:3.6rem;text-align:center;border-radius:.3rem;padding:.05rem .5rem;font-size:.8rem;color:#fff;background:#35618f}h3 .post{background:#0b6e4f}h3 .delete{background:#a03030}
h4{margin:1rem 0 .25rem;font-size:.85rem;text-transform:uppercase;letter-spacing:.05em;opacity:.7}.scope{font-size:.9rem;opacity:.85;margin:.25rem 0}
code{font:0.9em ui-monospace,monospace}dl{margin:.25rem 0 0;border-left:2px solid var(--line);padding-left:1rem}dt{margin-top:.45rem}dt i{opacity:.7;font-size:.85rem}dd{margin:0 0 0 1rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}}`
