import Type, { type Static, type TSchema } from 'typebox'

/**
 * The values that a schema of the API describes, as those who make an answer write them. Files that run without a server
 * import only such types: loading TypeBox takes time.
 */
export type View<Schema extends TSchema> = Immutable<Static<Schema>>

/** The parameters that a schema describes, as a caller writes them: not yet checked, and without defaults. */
export type Unchecked<Schema extends TSchema> = {
  readonly [Member in keyof Static<Schema>]?: Unnamed<Static<Schema>[Member]> | undefined
}

type Unnamed<Value> = Value extends string ? string : Immutable<Value>

type Immutable<Value> = Value extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : Value extends object
    ? { readonly [Member in keyof Value]: Immutable<Value[Member]> }
    : Value

/** Types with a description. */
export const number = (description: string, options: Type.TNumberOptions = {}) =>
  Type.Number({ ...options, description })
export const integer = (description: string, options: Type.TNumberOptions = {}) =>
  Type.Integer({ ...options, description })
export const string = (description: string, options: Type.TStringOptions = {}) =>
  Type.String({ ...options, description })
export const boolean = (description: string, options: Type.TSchemaOptions = {}) =>
  Type.Boolean({ ...options, description })

export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema)

export const nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

/** The query parameter of answers that can be converted. */
export const currency = optional(
  string(
    'USD (default), or another currency with a dated rate, such as EUR: members then have its code instead of usd, such as cost_eur, and the header Cheapside-Exchange has the rate and its day',
    { maxLength: 8 },
  ),
)
