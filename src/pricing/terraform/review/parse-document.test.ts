import { expect, test } from 'vitest'
import { parseDocument, UnreadableDocument } from './parse-document.ts'

const json = '{"format_version":"1.2"}'
const utf16 = (text: string, isBigEndian: boolean): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return isBigEndian ? bytes.swap16() : bytes
}

test.each<[string, string | Buffer]>([
  ['as it is', json],
  ['with a byte order mark', `\ufeff${json}`],
  ['by PowerShell 5', utf16(json, false)],
  ['in UTF-16, big end first', utf16(json, true)],
  ['formatted', JSON.stringify(JSON.parse(json), null, 2)],
  ['with the line of the wrapper', `[command]/opt/terraform/terraform-bin show -json plan\n${json}`],
  [
    'with all that the wrapper prints',
    `\ufeff[command]C:\\terraform-bin.exe show -json plan\r\n${json}\r\n::debug::Terraform exited with code 0.\r\n::debug::stdout: {"a":1}\r\n`,
  ],
])('%s', (_, text) => {
  expect(parseDocument(Buffer.from(text as string))).toEqual({ format_version: '1.2' })
})

test.each(['', '[command]terraform', 'Plan: 1 to add', `${json}${json}`])('%j is not JSON', (text) => {
  expect(() => parseDocument(Buffer.from(text))).toThrow(UnreadableDocument)
})
