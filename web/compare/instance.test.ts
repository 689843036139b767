import { expect, test } from 'vitest'
import { readInstance, writeInstance } from './instance.ts'

const of = { provider: 'aws', region: 'us-east-1', type: 'm5.xlarge', os: 'Linux', paid: 'ONDEMAND' }

test('an instance is read back from its address', () => {
  expect(readInstance(writeInstance(of))).toEqual(of)
})

test.each([null, '', 'aws', 'aws|us-east-1|m5.xlarge|Linux|', `${writeInstance(of)}|more`])(
  'no instance: %s',
  (text) => expect(readInstance(text)).toBeUndefined(),
)
