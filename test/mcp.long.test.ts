import { serviceForAssistants, testAssistant } from './mcp.case.ts'

const { transports } = serviceForAssistants()

testAssistant('stdio', transports.stdio, true)
testAssistant('stdio to a service', transports['stdio to a service'], true)
