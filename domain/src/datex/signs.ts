import type { SignFault } from '@rogatka/contract/vms.ts'
import { attributed, element, polishText, text, time, value } from './elements.ts'
import { header, reference } from './publication.ts'
import { pointLocation } from './sites.ts'

/** Id of the table of sign controllers. */
const SIGNS = 'signs'

/** Text of a plate, or of what may contain one, for those who get no plates. */
const MASK = '***'

/** A sign with its state. */
export type PublishedSign = {
  /** Position in the group, from 1. */
  number: number
  roadNumber: string
  chainage: string
  isAvailable: boolean
  /** Null: unknown. */
  shows: { kind: 'blank' | 'content' | 'plate' | 'trucks' | 'other'; lines: readonly string[] } | null
  /** Since when it shows that; null: unknown. */
  setAt: Date | null
  faults: readonly SignFault[]
  /** Whether it shows the content of the last command; null: unknown. */
  asOrdered: boolean | null
  /** Since when it should have cleared a plate; null if it has. */
  overdueSince: Date | null
  /** Time of the last response, else of the last poll; null: none. */
  polledAt: Date | null
}

/** A group of signs: a controller of DATEX II. */
export type PublishedGroup = { id: number; description: string; signs: readonly PublishedSign[] }

/** Content of a VmsTablePublication; at least one group. */
export function* signsContent(groups: readonly PublishedGroup[], version: string): Generator<string> {
  yield header('vms', false)
  yield `<vms:vmsControllerTable id="${SIGNS}" version="${version}">`
  for (const { id, description, signs } of groups)
    yield attributed(
      'vms:vmsController',
      { id, version },
      value('vms:numberOfVms', signs.length),
      ...signs.map((sign) =>
        attributed(
          'vms:vms',
          { vmsIndex: sign.number },
          element(
            'vms:vms',
            polishText('vms:description', description),
            element(
              'vms:vmsConfiguration',
              value('vms:numberOfDisplayAreas', 1),
              attributed(
                'vms:displayArea',
                { displayAreaIndex: 1 },
                attributed('vms:displayArea', { 'xsi:type': 'vms:TextDisplayArea' }),
              ),
            ),
            pointLocation('vms:vmsLocation', sign),
          ),
        ),
      ),
    )
  yield '</vms:vmsControllerTable>'
}

/** Content of a VmsPublication; at least one group. `version` of the table of signs that the same caller gets. */
export function* signStatusContent(
  groups: readonly PublishedGroup[],
  { version, withPlates }: { version: string; withPlates: boolean },
): Generator<string> {
  yield header('vms', withPlates)
  for (const { id, signs } of groups)
    yield element(
      'vms:vmsControllerStatus',
      reference('vms:vmsControllerTableReference', 'vms:VmsControllerTable', SIGNS, version),
      reference('vms:vmsControllerReference', 'vms:VmsController', String(id), version),
      ...signs.map((sign) =>
        attributed('vms:vmsStatus', { vmsIndex: sign.number }, element('vms:vmsStatus', statusXml(sign, withPlates))),
      ),
    )
}

const statusXml = (sign: PublishedSign, withPlates: boolean): string => {
  const { polledAt, isAvailable, shows, setAt } = sign
  const isBlank = shows?.kind === 'blank'
  const shownAt = setAt ?? polledAt
  return [
    polledAt && time('vms:statusUpdateTime', polledAt),
    value('vms:workingStatus', isAvailable ? (isBlank ? 'blank' : 'working') : 'notWorking'),
    isAvailable && shows && !isBlank && shownAt && messageXml(visibleLines(shows, withPlates), shownAt),
    ...faultsOf(sign).map(({ at, code, fault }) =>
      element(
        'vms:vmsFault',
        time('com:faultLastUpdateTime', at),
        value('com:manufacturerFaultCode', code),
        value('vms:vmsFault', fault),
      ),
    ),
  ]
    .filter(Boolean)
    .join('')
}

type SignDisplay = NonNullable<PublishedSign['shows']>

/** Foreign texts may contain a plate, too. Neither its beginning nor its length is shown. */
const visibleLines = ({ kind, lines }: SignDisplay, withPlates: boolean): readonly string[] =>
  !withPlates && (kind === 'plate' || kind === 'other') ? [MASK] : lines

/** A message; pictograms have no place in it. */
const messageXml = (lines: readonly string[], at: Date): string =>
  attributed(
    'vms:vmsMessage',
    { messageIndex: 1 },
    element(
      'vms:vmsMessage',
      time('vms:timeLastSet', at),
      lines.length === 0
        ? ''
        : attributed(
            'vms:displayAreaSettings',
            { displayAreaIndex: 1 },
            attributed(
              'vms:displayAreaSettings',
              { 'xsi:type': 'vms:TextDisplay' },
              ...lines.map((line, index) =>
                attributed(
                  'vms:textLine',
                  { lineIndex: index + 1 },
                  element('vms:textLine', text('vms:textLine', line)),
                ),
              ),
            ),
          ),
    ),
  )

/** Faults by which a sign is out of service; it works with the others. */
const OUT_OF_SERVICE = new Set<SignFault>(['communication', 'power', 'controller'])

type Fault = { at: Date; code: string | null; fault: string }

const faultsOf = ({ faults, asOrdered, overdueSince, polledAt }: PublishedSign): Fault[] => {
  const reported = faults.map((code) => ({ code, fault: OUT_OF_SERVICE.has(code) ? 'outOfService' : 'other' }))
  const wrong = asOrdered === false ? [{ code: null, fault: 'incorrectMessageDisplayed' }] : []
  return [
    ...(polledAt ? [...reported, ...wrong].map((fault) => ({ ...fault, at: polledAt })) : []),
    ...(overdueSince ? [{ at: overdueSince, code: null, fault: 'unableToClearDown' }] : []),
  ]
}
