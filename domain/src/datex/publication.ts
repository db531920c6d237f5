import { attributed, attributesText, element, time, value } from './elements.ts'

const NAMESPACE = 'http://datex2.eu/schema/3/'

const NAMESPACES = {
  'xmlns:d2': `${NAMESPACE}d2Payload`,
  'xmlns:com': `${NAMESPACE}common`,
  'xmlns:loc': `${NAMESPACE}locationReferencing`,
  'xmlns:roa': `${NAMESPACE}roadTrafficData`,
  'xmlns:vms': `${NAMESPACE}vms`,
  'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
}

type Publication =
  | 'roa:MeasurementSiteTablePublication'
  | 'roa:MeasuredDataPublication'
  | 'vms:VmsTablePublication'
  | 'vms:VmsPublication'

/** What every document begins with. */
export type Envelope = {
  type: Publication
  /** Time of the publication. */
  at: Date
  /** Name of the authority. */
  owner: string
}

/** A document: the envelope around the content of a publication. */
export function* documentOf({ type, at, owner }: Envelope, content: Iterable<string>): Generator<string> {
  const attributes = { ...NAMESPACES, 'xsi:type': type, lang: 'pl', modelBaseVersion: 3 }
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<d2:payload${attributesText(attributes)}>`
  yield time('com:publicationTime', at)
  yield element('com:publicationCreator', value('com:country', 'pl'), value('com:nationalIdentifier', owner))
  yield* content
  yield '</d2:payload>\n'
}

/** The header of a publication; with plates it is restricted to authorities. */
export const header = (prefix: 'roa' | 'vms', hasPlates: boolean): string =>
  element(
    `${prefix}:headerInformation`,
    value('com:confidentiality', hasPlates ? 'restrictedToAuthorities' : 'noRestriction'),
    value('com:informationStatus', 'real'),
  )

/** A reference to a version of an object, in a table of the same caller. */
export const reference = (name: string, targetClass: string, id: string, version: string): string =>
  attributed(name, { targetClass, id, version })
