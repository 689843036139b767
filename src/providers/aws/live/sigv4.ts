import { createHash, createHmac } from 'node:crypto'

export interface AwsCredential {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

interface SignedCall {
  readonly url: string
  readonly body: string
  readonly region: string
  readonly service: string
  readonly nowMs: number
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
export function signedHeaders(call: SignedCall, credential: AwsCredential): Record<string, string> {
  const { host, pathname } = new URL(call.url)
  const time = new Date(call.nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    host,
    'x-amz-date': time,
    ...(credential.sessionToken === undefined ? {} : { 'x-amz-security-token': credential.sessionToken }),
  }
  const names = Object.keys(headers).sort()
  const canonical = [
    'POST',
    pathname,
    '',
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    sha256(call.body),
  ].join('\n')
  const scope = `${day}/${call.region}/${call.service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = [day, call.region, call.service, 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${credential.secretAccessKey}`,
  )
  const signature = createHmac('sha256', key).update(toSign).digest('hex')
  const { host: _, ...sent } = headers
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
