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

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
