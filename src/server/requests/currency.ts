import type { preHandlerHookHandler, RouteOptions } from 'fastify'
import Type, { type TSchema } from 'typebox'
import { exchangeHeader, inCurrency, parseCurrency, writeExchange } from '../../domain/currency.ts'
import type { ExchangeRate } from '../../domain/manifest.ts'
import { currency as currencyParameter } from '../../domain/schema.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether amounts of the answer can be asked for in another currency than US dollars. */
    hasAmounts?: true
  }
}

/** Adds the parameter `currency` to a route, whose answers are then converted. */
export function convertAnswers(route: RouteOptions, exchange: () => ExchangeRate | null | undefined): void {
  const { properties = {} } = (route.schema?.querystring ?? {}) as { properties?: Record<string, TSchema> }
  route.schema = {
    ...route.schema,
    querystring: Type.Object({ ...properties, currency: currencyParameter }),
  }
  const currencyOf = (query: unknown) => parseCurrency((query as { currency?: string }).currency, exchange())
  const refuseUnknown: preHandlerHookHandler = (request, _, done) => {
    currencyOf(request.query)
    done()
  }
  route.preHandler = [refuseUnknown, ...[route.preHandler ?? []].flat()]
  route.preSerialization = async (request, reply, answer: unknown) => {
    const currency = currencyOf(request.query)
    if (currency === undefined || reply.statusCode >= 300) return answer
    reply.header(exchangeHeader, writeExchange(currency))
    return inCurrency(answer, currency)
  }
}
