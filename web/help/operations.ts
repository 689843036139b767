export interface ApiParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: { readonly type?: string; readonly enum?: readonly unknown[]; readonly default?: unknown }
}

export interface ApiOperation {
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly scope: string | undefined
  readonly parameters: readonly ApiParameter[]
  /** Whether it takes a JSON body. */
  readonly takesBody: boolean
}

interface WrittenOperation {
  readonly summary?: string
  readonly description?: string
  readonly 'x-scope'?: string
  readonly parameters?: readonly ApiParameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
}

/** Returns the operations that can be tried in a browser: JSON in, JSON or text out. */
export function operationsOf(api: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>
}): ApiOperation[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]): ApiOperation[] => {
      const content = operation.requestBody?.content
      if (content !== undefined && !('application/json' in content)) return []
      return [
        {
          method: method.toUpperCase(),
          path,
          summary: operation.summary ?? '',
          description: operation.description ?? '',
          scope: operation['x-scope'],
          parameters: operation.parameters ?? [],
          takesBody: content !== undefined,
        },
      ]
    }),
  )
}

/** Fills values into a path such as /v1/usage/{kind}/{id}. Returns undefined while a part of the path is missing. */
export function addressOfCall(
  { path, parameters }: Pick<ApiOperation, 'path' | 'parameters'>,
  values: Readonly<Record<string, string>>,
): string | undefined {
  let address = path
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    const value = values[name] ?? ''
    if (place === 'path') {
      if (value === '') return undefined
      address = address.replace(`{${name}}`, encodeURIComponent(value))
    } else if (place === 'query' && value !== '') query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? address : `${address}?${text}`
}

/** Returns the headers of a call, such as If-Match. */
export const headersOfCall = (
  { parameters }: Pick<ApiOperation, 'parameters'>,
  values: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    parameters.flatMap(({ name, in: place }) =>
      place === 'header' && values[name] ? [[name, values[name]]] : [],
    ),
  )
