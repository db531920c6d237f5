import type { z } from 'zod'
import type { WireOf } from './endpoint.ts'
import { reference } from './reference.ts'
import * as vms from './vms.ts'

const cancelPlateExample: WireOf<typeof vms.cancelPlate, 'response'> = {
  plateVms: {
    available: false,
    scenarioEnabled: true,
    contentDisplayed: true,
    allTrucksDisplayed: false,
    vehicle: { id: 7696581394433, createdAt: '2026-10-20T07:59:58.000Z', plateLpr: 'WGM4K281' },
  },
  manageable: true,
  state: 'displayed',
  hasPlate: true,
  setBy: { id: 100, username: 'a.lipa' },
  setAt: '2026-10-20T08:00:00.000Z',
  until: '2026-10-20T08:00:38.000Z',
  readablePointAt: '2026-10-20T08:00:38.000Z',
  vms: { id: 2, roadNumber: 'S8', chainage: '2+000' },
}

const vmsStatusExample: z.input<typeof vms.vmsStatus> = {
  status: 'OK',
  available: true,
  contentDisplayed: true,
  condition: 'ok',
  faults: [],
  controlMode: 'central',
  circuit: 'closed',
  checkedAt: '2026-10-20T08:00:00.000Z',
  answeredAt: '2026-10-20T08:00:00.000Z',
}

const signExample: z.input<typeof vms.sign> = {
  id: 1,
  number: 1,
  vms: { roadNumber: 'S8', chainage: '1+900', ip: '10.1.1.1' },
  vmsStatus: vmsStatusExample,
  contentVariants: [{ variant: 1, content: { id: 1 } }],
  image: '/vms-contents/1/image',
  selectedContent: { id: 1 },
  shows: { kind: 'content', content: { id: 1 }, text: 'KONTROLA' },
  enabled: { variant: 1, by: { id: 101, username: 'a.lipa' }, since: '2026-10-20T08:00:00.000Z' },
  showsPlates: false,
  plate: null,
  busy: false,
  asOrdered: true,
}

const groupExample: WireOf<typeof vms.groups, 'response'>[number] = {
  group: { id: 1, description: 'Preselekcja', location: { id: 7, shortName: 'S8 Emilianów' } },
  variants: [{ variant: 1, description: 'Kontrola', complete: true }],
  selectedVariant: 1,
  enabledVariant: 1,
  manageable: true,
  vms: [signExample],
}

const disableVariantExample: WireOf<typeof vms.disableVariant, 'response'> = {
  results: [{ vms: { id: 1, number: 1, roadNumber: 'S8', chainage: '1+900' }, done: true, error: null }],
  group: groupExample,
}

export const vmsReference = reference('Signs', vms, {
  cancelPlate: {
    errors: {
      404: ['vehicle-not-found'],
      409: ['this-vehicle-selected'],
      422: ['sign-did-not-answer', 'sign-in-local-control', 'sign-rejected-message', 'sign-unavailable'],
    },
    params: { id: 7696581394433 },
    query: {},
    response: cancelPlateExample,
  },
  contentImage: { errors: { 404: ['content-not-found'] }, params: { id: 1 } },
  contents: {
    response: [{ id: 1, description: 'Waga', pictogram: 'weigh', lines: ['KONTROLA'], image: '/vms-contents/1/image' }],
  },
  disableVariant: {
    errors: { 404: ['sign-group-not-found'], 422: ['signs-incomplete'] },
    params: { groupId: 1 },
    response: disableVariantExample,
  },
  enableVariant: {
    errors: { 404: ['sign-group-not-found', 'variant-not-found'], 422: ['signs-incomplete'] },
    params: { groupId: 1, variantId: 1 },
    response: disableVariantExample,
  },
  groups: { query: {}, response: [groupExample] },
  plateStatus: {
    errors: { 404: ['vehicle-not-found'] },
    params: { id: 7696581394433 },
    query: {},
    response: cancelPlateExample,
  },
  showPlate: {
    errors: {
      404: ['vehicle-not-found'],
      409: [
        'another-vehicle-selected',
        'no-arrival-time',
        'scenario-not-enabled',
        'sign-unavailable',
        'superseded',
        'this-vehicle-selected',
        'vehicle-passed',
      ],
      422: [
        'no-plate',
        'sign-did-not-answer',
        'sign-in-local-control',
        'sign-rejected-message',
        'sign-shows-plate',
        'sign-unavailable',
      ],
    },
    params: { id: 7696581394433 },
    query: { allTrucks: 'true' },
    response: cancelPlateExample,
  },
  signImage: {
    errors: { 404: ['content-not-found', 'sign-not-found'] },
    params: { groupId: 1, id: 2 },
  },
})
