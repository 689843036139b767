import { expect, test } from 'vitest'
import { signedHeaders } from './sigv4.ts'

const credential = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
}
const call = {
  url: 'https://example.amazonaws.com/',
  body: 'Param1=value1',
  region: 'us-east-1',
  service: 'service',
  nowMs: Date.parse('2015-08-30T12:36:00Z'),
}

test("signs as AWS's own test suite does (post-x-www-form-urlencoded)", () => {
  expect(signedHeaders(call, credential)).toEqual({
    'content-type': 'application/x-www-form-urlencoded',
    'x-amz-date': '20150830T123600Z',
    authorization:
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ' +
      'SignedHeaders=content-type;host;x-amz-date, ' +
      'Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  })
})

test('a session token is signed too, and the secret key is in no header', () => {
  const headers = signedHeaders(call, { ...credential, sessionToken: 'session' })
  expect(headers['x-amz-security-token']).toBe('session')
  expect(headers.authorization).toContain('SignedHeaders=content-type;host;x-amz-date;x-amz-security-token')
  expect(JSON.stringify(headers)).not.toContain(credential.secretAccessKey)
})
