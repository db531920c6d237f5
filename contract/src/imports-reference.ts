import type { z } from 'zod'
import type { WireOf } from './endpoint.ts'
import * as imports from './imports.ts'
import { reference } from './reference.ts'

const importTrialExample: z.input<typeof imports.importTrial> = {
  rows: 2,
  new: 1,
  duplicates: 0,
  refused: 1,
  reasons: [
    { code: 'value-too-large', path: 'speed', text: 'Wartość jest za duża', rows: 1, firstLine: 3, example: '999' },
  ],
  lanes: [{ station: '12', lane: '1', locationId: 12, laneNumber: 1, new: 1, heavy: 0, refused: 1 }],
  classes: [{ ctg8p1: 0, vehicles: 1 }],
  days: [{ day: '2026-10-20', vehicles: 1, figuresOnly: 0 }],
  figuresOnly: 0,
  figureDays: 0,
  replacedDays: 0,
  first: '2026-10-20T07:00:05.000Z',
  last: '2026-10-20T07:00:05.000Z',
  grossSum: 0,
  ambiguousTimes: 0,
  grossOnly: 0,
  inFilledHours: 0,
}

const optionsExample: z.input<typeof imports.importEntry>['options'] = {
  format: 'csv',
  encoding: 'utf-8',
  timeZone: 'Europe/Zurich',
  wUnits: 'metric',
  separator: ';',
  decimalSign: '.',
  hasHeadings: true,
  columns: [{ column: 'ZST', field: 'station', unit: null, axle: null }],
  accuracy: 'none',
  assignments: [],
}

const importEntryExample: z.input<typeof imports.importEntry> = {
  id: 2,
  state: 'checked',
  fileName: 'file.csv',
  fileSize: 63,
  sha256: 'd808e796e16be03a163f844b1c2188344e7a5e4450b68c0fb4b9b7153ed46c12',
  options: optionsExample,
  createdAt: '2026-10-20T12:00:00.000Z',
  createdBy: 'j.kowalska',
  trial: importTrialExample,
  trialPercent: 100,
  written: 0,
  figures: 0,
  collected: 0,
  duplicates: 0,
  refused: 0,
  startedAt: null,
  finishedAt: null,
  error: null,
}

const importDetailExample: z.input<typeof imports.importDetail> = {
  ...importEntryExample,
  columns: [{ column: 'ZST', samples: ['12', '12'] }],
  recognised: { known: 6, total: 6 },
  hasFile: true,
  hasRefusedFile: true,
  revision: 1,
}

const mappingOptionsExample: typeof optionsExample = {
  format: 'csv',
  encoding: 'utf-8',
  timeZone: 'Europe/Warsaw',
  wUnits: 'metric',
  separator: ',',
  decimalSign: '.',
  hasHeadings: true,
  columns: [{ column: 'Czas', field: 'dateTime', unit: null, axle: null }],
  accuracy: 'none',
  assignments: [{ station: '', lane: '1', locationId: 12, laneNumber: 1 }],
}

const mappingsExample: WireOf<typeof imports.saveMapping, 'response'> = {
  id: 1,
  name: 'łowicz',
  options: mappingOptionsExample,
  createdBy: 'k.wrona',
}

export const importsReference = reference('Imports', imports, {
  cancel: {
    errors: { 404: ['import-not-found'], 409: ['import-state-not-allowed'] },
    params: { id: 3 },
    response: importDetailExample,
  },
  changeOptions: {
    errors: {
      404: ['import-not-found'],
      409: ['changed-meanwhile', 'import-file-deleted', 'import-state-not-allowed'],
      422: ['import-too-many-columns'],
    },
    params: { id: 1 },
    query: { revision: 1 },
    body: {
      ...optionsExample,
      accuracy: 'lane',
      assignments: [{ station: 'A 408', lane: '1', locationId: 13, laneNumber: 1 }],
    },
    response: importDetailExample,
  },
  detail: { errors: { 404: ['import-not-found'] }, params: { id: 1 }, response: importDetailExample },
  list: { query: {}, response: { content: [importEntryExample], totalCount: 2 } },
  mappings: { response: [mappingsExample] },
  refusedFile: {
    errors: {
      403: ['step-up-required'],
      404: ['import-file-deleted', 'import-not-found'],
      422: ['purpose-missing'],
    },
    params: { id: 1 },
  },
  removeMapping: { errors: { 404: ['import-mapping-not-found'] }, params: { id: 1 } },
  run: {
    errors: {
      404: ['import-not-found'],
      409: ['changed-meanwhile', 'import-file-deleted', 'import-state-not-allowed'],
    },
    params: { id: 1 },
    query: { revision: 1 },
    response: importDetailExample,
  },
  saveMapping: {
    errors: { 404: ['import-mapping-not-found'], 422: ['too-many-import-mappings'] },
    body: {
      name: 'Łowicz',
      options: mappingOptionsExample,
    },
    response: mappingsExample,
  },
  upload: {
    errors: {
      404: ['import-mapping-not-found'],
      422: [
        'import-damaged',
        'import-empty',
        'import-encoding-unknown',
        'import-format-unknown',
        'import-too-large-unpacked',
        'import-too-many-columns',
      ],
    },
    query: { fileName: 'x.csv', mappingId: 1 },
    response: importDetailExample,
  },
})
