import { measured, signStatus, signs, sites } from '@rogatka/contract/datex.ts'
import { add, type WireNewSystem } from '@rogatka/contract/systems.ts'
import { XmlDocument, type XmlNode } from 'libxml2-wasm'
import { onTestFinished } from 'vitest'
import type { Client, TestApi } from '../testing/test-api.ts'

export const publications = { sites, measured, signs, signStatus }

const NAMESPACE = 'http://datex2.eu/schema/3/'
const NAMESPACES = {
  d2: `${NAMESPACE}d2Payload`,
  com: `${NAMESPACE}common`,
  loc: `${NAMESPACE}locationReferencing`,
  roa: `${NAMESPACE}roadTrafficData`,
  vms: `${NAMESPACE}vms`,
  xsi: 'http://www.w3.org/2001/XMLSchema-instance',
}

/** A document as an independent parser reads it. `texts`: of all nodes that an XPath finds; `value`: what it evaluates to. */
export function parseDatex(bytes: Buffer) {
  const document = XmlDocument.fromBuffer(bytes)
  onTestFinished(() => document.dispose())
  const evaluate = (xpath: string) => document.eval(xpath, NAMESPACES)
  return {
    document,
    texts: (xpath: string): string[] => {
      const found = evaluate(xpath)
      return Array.isArray(found) ? found.map((node: XmlNode) => node.content) : [String(found)]
    },
    value: (xpath: string) => evaluate(xpath),
  }
}

/** A client with an exchange key for live vehicles and signs of the test station. */
export async function keyOf(api: TestApi, values: Partial<WireNewSystem> = {}): Promise<Client & { id: number }> {
  const admin = await api.as('Exchange', 'CurrentMeasurements', 'Vms')
  const body: WireNewSystem = {
    name: `System ${Math.random()}`,
    locationIds: [7],
    rights: ['CurrentMeasurements', 'Vms'],
    plates: true,
    validUntil: '2026-12-31',
    ...values,
  }
  const { system, key } = (await admin.call(add, { body })).body
  return { ...api.client(key), id: system.id }
}
