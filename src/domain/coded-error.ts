/** An error with a code that programs read; its message is one line. */
export class CodedError<Code extends string> extends Error {
  readonly code: Code

  constructor(code: Code, message: string) {
    super(message)
    this.code = code
  }
}
