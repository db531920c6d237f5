import type { z } from 'zod'
import * as certificates from './certificates.ts'
import { reference } from './reference.ts'

const laneCertificateExample: z.input<typeof certificates.laneCertificate> = {
  number: 'WIM/4/2026',
  authority: 'GUM',
  kind: 'initial',
  validFrom: '2026-10-21',
  validUntil: '2027-10-20',
  minSpeed: 20,
  maxSpeed: 90,
  id: 1,
  lane: { id: 701, laneNumber: 1 },
  location: { id: 7, shortName: 'S8 Emilianów' },
  revoked: { at: '2026-10-20T22:00:00.000Z', by: 'p.dab', reason: 'Uszkodzony czujnik' },
  isUsed: true,
  file: null,
  version: 3,
}

const scaleExample: z.input<typeof certificates.scale> = {
  certificate: 'A',
  authority: 'OUM Warszawa',
  validFrom: '2026-01-01',
  validUntil: '2026-11-30',
  accuracyPercent: 0.5,
  name: 'Waga Radzymin',
  kind: 'platform',
  id: 1,
  next: {
    certificate: 'B',
    authority: 'OUM Warszawa',
    validFrom: '2026-12-01',
    validUntil: '2027-11-30',
    accuracyPercent: 0.5,
  },
  certificates: [
    {
      certificate: 'B',
      authority: 'OUM Warszawa',
      validFrom: '2026-12-01',
      validUntil: '2027-11-30',
      accuracyPercent: 0.5,
      isUsed: false,
      enteredAt: '2026-10-20T08:00:00.000Z',
      isEnteredLate: false,
    },
  ],
  isUsed: true,
  version: 5,
}

export const certificatesReference = reference('Certificates', certificates, {
  addCertificate: {
    errors: { 404: ['lane-not-found'], 422: ['min-greater-than-max', 'start-after-end'] },
    body: {
      number: 'WIM/3/2026',
      authority: 'GUM',
      kind: 'initial',
      validFrom: '2026-10-21',
      validUntil: '2027-10-20',
      minSpeed: 20,
      maxSpeed: 90,
      lane: 701,
    },
    response: laneCertificateExample,
  },
  addScale: {
    errors: { 409: ['scale-name-taken'], 422: ['start-after-end'] },
    body: {
      name: 'Waga Radzymin',
      certificate: 'OUM/17/2026',
      authority: 'OUM Warszawa',
      validFrom: '2026-01-01',
      validUntil: '2026-11-30',
      accuracyPercent: 1,
      kind: 'platform',
    },
    response: scaleExample,
  },
  certificateFile: { errors: { 404: ['certificate-not-found'] }, params: { id: 1 } },
  changeCertificate: {
    errors: {
      404: ['certificate-not-found'],
      409: ['certificate-in-use', 'changed-meanwhile'],
      422: ['min-greater-than-max', 'start-after-end'],
    },
    params: { id: 1 },
    body: {
      number: 'WIM/4/2026',
      authority: 'GUM',
      kind: 'initial',
      validFrom: '2026-10-21',
      validUntil: '2027-10-20',
      minSpeed: 20,
      maxSpeed: 90,
      version: 1,
    },
    response: laneCertificateExample,
  },
  changePurpose: { errors: { 404: ['lane-not-found'] }, params: { id: 701 }, body: { purpose: 'enforcement' } },
  changeScale: {
    errors: {
      404: ['scale-not-found'],
      409: ['changed-meanwhile', 'scale-certificate-in-use', 'scale-name-taken'],
      422: ['start-after-end'],
    },
    params: { id: 1 },
    body: {
      name: 'Waga Radzymin',
      certificate: 'B',
      authority: 'OUM Warszawa',
      validFrom: '2026-12-01',
      validUntil: '2027-11-30',
      accuracyPercent: 0.5,
      kind: 'platform',
    },
    response: scaleExample,
  },
  lanes: {
    query: { locations: '7' },
    response: [
      {
        id: 701,
        laneNumber: 1,
        location: { id: 7, shortName: 'S8 Emilianów' },
        hasScale: true,
        purpose: 'preselection',
        certificates: [laneCertificateExample],
      },
    ],
  },
  removeCertificate: { errors: { 404: ['certificate-not-found'], 409: ['certificate-in-use'] }, params: { id: 2 } },
  removeScale: { errors: { 404: ['scale-not-found'], 409: ['scale-in-use'] }, params: { id: 1 } },
  revokeCertificate: {
    errors: { 404: ['certificate-not-found'], 409: ['certificate-revoked', 'changed-meanwhile'] },
    params: { id: 1 },
    body: { reason: 'Uszkodzony czujnik', version: 2 },
    response: laneCertificateExample,
  },
  scales: { response: [scaleExample] },
  storeCertificateFile: {
    errors: {
      404: ['certificate-not-found'],
      409: ['certificate-in-use'],
      413: ['attachment-too-large'],
      415: ['attachment-kind-not-accepted'],
      422: ['attachment-damaged', 'attachment-not-harmless', 'list-too-long', 'picture-too-large'],
    },
    params: { id: 1 },
    response: laneCertificateExample,
  },
})
