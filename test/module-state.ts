/**
 * Names of bindings at module level whose value can change: let, and collections that are not declared read-only. It works on
 * the text of formatted code, in which statements of a module begin in the first column.
 */
export const moduleState = (text: string): string[] =>
  [...text.matchAll(state)].map((match) => match.slice(1).find((name) => name !== undefined)!)

const state =
  /^(?:export )?(?:let|var) (\w+)|^(?:export )?const (\w+)\b(?!: (?:Readonly|readonly|number))[^=\n]* = (?:new (?:Weak)?(?:Map|Set)\b|new \w*Array\(|\[\]|\{\})|^ {2}static (?!readonly \w+ = ['"\d])(?:readonly )?(#?\w+)[^(\n]*=/gm
