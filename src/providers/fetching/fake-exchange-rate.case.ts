import type { Answer } from './fake-server.case.ts'

export const isRate = (path: string): boolean => path === '/stats/eurofxref/eurofxref-daily.xml'

export const rateAnswer = (usd: string, day: string): Answer => ({
  type: 'text/xml',
  body: `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject>
<Cube><Cube time='${day}'><Cube currency='USD' rate='${usd}'/><Cube currency='JPY' rate='178.2'/></Cube></Cube>
</gesmes:Envelope>`,
})
