import * as evidence from './evidence.ts'
import { reference } from './reference.ts'

export const evidenceReference = reference('Reports', evidence, {
  verifyDocument: {
    errors: { 503: ['unavailable'] },
    response: {
      differences: [],
      certificate: {
        subject: 'C=PL, O=Zarząd Dróg, CN=Zarząd Dróg',
        issuer: 'C=PL, O=Urząd Certyfikacji, CN=Urząd Certyfikacji',
        serialNumber: '1000',
        validFrom: '2026-01-01T00:00:00.000Z',
        validUntil: '2028-12-31T23:59:59.000Z',
        isTrusted: true,
      },
      stamp: 'valid',
      stampedAt: '2026-10-20T08:00:00.000Z',
      package: {
        files: 13,
        differences: [{ name: '1_front.jpg', fault: 'changed' }],
        stamp: 'valid',
        stampedAt: '2026-10-20T08:00:01.000Z',
        seal: { locationId: 7, number: 120 },
        notSealed: [],
        anchor: 12,
        auditEntries: 3,
      },
    },
  },
  stampDocument: { errors: { 409: ['stamp-pending'], 422: ['document-not-signed'] } },
})
