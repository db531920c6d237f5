import type { WireOf } from './endpoint.ts'
import { reference } from './reference.ts'
import * as vmsUpkeep from './vms-upkeep.ts'

const addSignExample: WireOf<typeof vmsUpkeep.addSign, 'response'> = {
  description: 'Objazd DK50',
  variants: ['Objazd', 'Stop'],
  id: 2,
  locationId: 7,
  shortName: 'S8 Emilianów',
  enabled: false,
  signs: [
    {
      roadNumber: 'S8',
      chainage: '3+100',
      driver: 'simulated',
      host: '10.0.0.9',
      port: 161,
      showsPlates: false,
      contentIds: [1, 2],
      id: 3,
      number: 1,
    },
  ],
  version: 4,
}

export const vmsUpkeepReference = reference('Signs', vmsUpkeep, {
  addSign: {
    errors: {
      404: ['sign-group-not-found'],
      409: ['plate-sign-exists', 'sign-group-enabled'],
      422: ['content-not-found', 'contents-by-variant'],
    },
    params: { id: 2 },
    body: {
      roadNumber: 'S8',
      chainage: '3+000',
      driver: 'simulated',
      host: '10.0.0.9',
      port: 161,
      community: 'tajne',
      showsPlates: false,
      contentIds: [2],
    },
    response: addSignExample,
  },
  addSignContent: {
    errors: { 400: ['content-empty', 'graphic-missing'], 409: ['content-name-taken'] },
    body: { description: 'Zjazd', pictogram: 'exit-right', graphic: 7, lines: ['ZJAZD'] },
    response: {
      description: 'Zjazd',
      pictogram: 'exit-right',
      graphic: 7,
      lines: ['ZJAZD'],
      id: 4,
      uses: 0,
      version: 1,
    },
  },
  addSignGroup: {
    errors: { 422: ['location-not-found'] },
    body: { locationId: 7, description: 'Objazd', variants: ['Objazd'] },
    response: addSignExample,
  },
  changeSign: {
    errors: {
      404: ['sign-not-found'],
      409: ['changed-meanwhile', 'plate-sign-exists', 'sign-group-enabled'],
      422: ['content-not-found', 'contents-by-variant'],
    },
    params: { id: 3 },
    body: {
      roadNumber: 'S8',
      chainage: '3+100',
      driver: 'simulated',
      host: '10.0.0.9',
      port: 161,
      showsPlates: false,
      contentIds: [1, 2],
      version: 3,
    },
    response: addSignExample,
  },
  changeSignContent: {
    errors: {
      400: ['content-empty', 'graphic-missing'],
      404: ['content-not-found'],
      409: ['changed-meanwhile', 'content-name-taken', 'sign-group-enabled'],
    },
    params: { id: 4 },
    body: { description: 'Zjazd', pictogram: 'exit-right', graphic: 7, lines: [], version: 1 },
    response: { description: 'Zjazd', pictogram: 'exit-right', graphic: 7, lines: [], id: 4, uses: 0, version: 2 },
  },
  changeSignGroup: {
    errors: {
      404: ['sign-group-not-found'],
      409: ['changed-meanwhile', 'sign-group-enabled'],
    },
    params: { id: 2 },
    body: { description: 'Objazd DK50', variants: ['Objazd', 'Stop'], version: 2 },
    response: addSignExample,
  },
  removeSign: { errors: { 404: ['sign-not-found'], 409: ['sign-group-enabled'] }, params: { id: 3 } },
  removeSignContent: { errors: { 404: ['content-not-found'], 409: ['content-in-use'] }, params: { id: 4 } },
  removeSignGroup: { errors: { 404: ['sign-group-not-found'], 409: ['sign-group-in-use'] }, params: { id: 2 } },
  signContents: {
    response: [
      { description: 'Waga', pictogram: 'weigh', graphic: 1, lines: ['KONTROLA'], id: 1, uses: 1, version: 1 },
    ],
  },
  signGroups: { response: [] },
})
