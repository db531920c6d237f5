import { build, login } from '@rogatka/contract/session.ts'
import { expect, onTestFinished } from 'vitest'
import { startTelemetry } from '../../core/telemetry.ts'
import { startCollector } from '../collector.ts'
import { configured, type Env, filled } from './configured.ts'
import type { VariableEffect } from './effects.ts'

/** What a collector receives of ten requests. `{collector}`: its address. */
async function tracesOf(env: Env) {
  const collector = await startCollector()
  const api = await configured(filled(env, 'collector', collector.url))
  const { stop } = await startTelemetry(api.app.api.config, api.app.api.http.log)
  onTestFinished(stop)
  for (let time = 0; time < 10; time++) expect((await api.anyone.call(build)).status).toBe(200)
  await stop()
  return collector.spans()
}

/** Effects of the variables of traces and the log. */
export const observationEffects: Record<string, VariableEffect> = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    title: 'sends traces to a collector',
    cases: [
      [undefined, 0],
      ['{collector}', 10],
    ],
    observe: async (env) => (await tracesOf({ ...env, TRACES_PERCENT: '100' })).length,
  },
  OTEL_SERVICE_NAME: {
    title: 'names the portal in traces',
    cases: [
      [undefined, 'rogatka'],
      ['waga-wschód', 'waga-wschód'],
    ],
    observe: async (env) => {
      const [span] = await tracesOf({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: '{collector}', TRACES_PERCENT: '100' })
      return span?.resource['service.name']
    },
  },
  TRACES_PERCENT: {
    title: 'sets the share of traces',
    cases: [
      ['0', 0],
      ['100', 10],
    ],
    observe: async (env) => (await tracesOf({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: '{collector}' })).length,
  },
  LOG_LEVEL: {
    title: 'sets the log level: requests from debug, refusals from info',
    cases: [
      ['silent', { refused: false, requests: false }],
      ['error', { refused: false, requests: false }],
      ['info', { refused: true, requests: false }],
      ['debug', { refused: true, requests: true }],
    ],
    observe: async (env) => {
      const api = await configured(env)
      expect((await api.anyone.call(login, { body: { username: 'a', password: 'b' } })).status).toBe(401)
      await api.anyone.call(build)
      const lines = api.logged.map((line) => JSON.parse(line) as { msg: string; url?: string; req?: { url: string } })
      return {
        refused: lines.some(({ msg }) => msg === 'refused'),
        requests: lines.some(({ url, req }) => (url ?? req?.url)?.endsWith('/build')),
      }
    },
  },
}
