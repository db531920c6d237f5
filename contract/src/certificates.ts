import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { scaleKinds } from './options.ts'
import { day, instant, queryId, queryInts, requiredText } from './wire.ts'

const READERS = ['Inspections', 'InspectionReview', 'ScaleCertificates'] as const

/** First verification, later verification, calibration. */
export const certificateKinds = ['initial', 'subsequent', 'calibration'] as const

/** What the figures of a WIM lane are for. */
export const lanePurposes = ['statistics', 'preselection', 'enforcement'] as const
export type LanePurpose = (typeof lanePurposes)[number]

/** First and last day of validity, both included. */
const days = { validFrom: day, validUntil: day }

/** 0 to 5 percent in steps of 0.1. */
const accuracyPercent = z.number().min(0).max(5).multipleOf(0.1, 'invalid-value')

const certificateOfScale = z.object({
  /** Number of the certificate. */
  certificate: requiredText(40),
  /** Who issued the certificate. */
  authority: requiredText(100),
  ...days,
  accuracyPercent,
})

const newScale = certificateOfScale.extend({ name: requiredText(100), kind: z.enum(scaleKinds) })

const scaleCertificate = certificateOfScale.extend({
  /** A weighing named it, or another followed it: it stays as it is. */
  isUsed: z.boolean(),
  /** When its number or days were entered; null: before that was recorded. */
  enteredAt: instant.nullable(),
  /** It was entered after its first day, while the scale had another one: earlier weighings did not have it. */
  isEnteredLate: z.boolean(),
})
export type ScaleCertificate = z.output<typeof scaleCertificate>

/** With the certificate in force today; without one, with that which ended last. */
export const scale = newScale.extend({
  id: z.int(),
  /** The certificate whose first day comes next. */
  next: certificateOfScale.nullable(),
  /** All certificates; the first is the one entered last: a change corrects or follows it. */
  certificates: z.array(scaleCertificate),
  /** An inspection used it, so it cannot be deleted. */
  isUsed: z.boolean(),
  /** Version for optimistic locking: must be sent with a change. */
  version: z.int(),
})
export type Scale = z.output<typeof scale>

const byId = z.object({ id: queryId })
const version = z.int().optional()

export const scales = endpoint({
  method: 'GET',
  path: '/scales',
  access: READERS,
  summary: 'Lists static scales with their certificates, by name',
  response: z.array(scale),
})

export const addScale = endpoint({
  method: 'POST',
  path: '/scales',
  access: 'ScaleCertificates',
  summary: 'Adds a static scale',
  stepUp: 'recent',
  body: newScale,
  response: scale,
})

export const changeScale = endpoint({
  method: 'PUT',
  path: '/scales/:id',
  access: 'ScaleCertificates',
  summary: 'Changes a static scale, or enters its next certificate; weighings have that of their day',
  stepUp: 'recent',
  params: byId,
  body: newScale.extend({ version }),
  response: scale,
})

export const removeScale = endpoint({
  method: 'DELETE',
  path: '/scales/:id',
  access: 'ScaleCertificates',
  summary: 'Deletes a static scale that no inspection used',
  stepUp: 'recent',
  params: byId,
})

const speed = z.int().min(0).max(250).nullish()

const certificateValues = z.object({
  number: requiredText(40),
  authority: requiredText(100),
  kind: z.enum(certificateKinds),
  ...days,
  /** Speeds for which it is valid, km/h; null: any. */
  minSpeed: speed,
  maxSpeed: speed,
})

/** Id of a lane, unique over all stations: 100 · station + lane number. */
const lane = z.int().positive()

export const laneCertificate = certificateValues.extend({
  id: z.int(),
  lane: z.object({ id: z.int(), laneNumber: z.int() }),
  location: z.object({ id: z.int(), shortName: z.string() }),
  minSpeed: z.int().nullable(),
  maxSpeed: z.int().nullable(),
  revoked: z.object({ at: instant, by: z.string(), reason: z.string() }).nullable(),
  /** Its first day has come, so figures may rely on it: it can only be revoked. */
  isUsed: z.boolean(),
  file: z.object({ name: z.string(), size: z.int() }).nullable(),
  version: z.int(),
})
export type LaneCertificate = z.output<typeof laneCertificate>

const certifiedLane = z.object({
  id: z.int(),
  laneNumber: z.int(),
  location: z.object({ id: z.int(), shortName: z.string() }),
  /** False: the scale or the lane was removed; its certificates stay listed, without warnings. */
  hasScale: z.boolean(),
  purpose: z.enum(lanePurposes),
  /** The latest first, including revoked ones. */
  certificates: z.array(laneCertificate),
})

export const lanes = endpoint({
  method: 'GET',
  path: '/lane-certificates',
  access: READERS,
  summary:
    'Lists WIM lanes with purpose and certificates, of some stations or of all; also lanes without a scale that have some',
  query: z.object({ locations: queryInts.optional() }),
  response: z.array(certifiedLane),
})

export const addCertificate = endpoint({
  method: 'POST',
  path: '/lane-certificates',
  access: 'ScaleCertificates',
  summary: 'Adds a certificate of a WIM lane',
  stepUp: 'recent',
  body: certificateValues.extend({ lane }),
  response: laneCertificate,
})

export const changeCertificate = endpoint({
  method: 'PUT',
  path: '/lane-certificates/:id',
  access: 'ScaleCertificates',
  summary: 'Changes a certificate before its first day',
  stepUp: 'recent',
  params: byId,
  body: certificateValues.extend({ version }),
  response: laneCertificate,
})

export const removeCertificate = endpoint({
  method: 'DELETE',
  path: '/lane-certificates/:id',
  access: 'ScaleCertificates',
  summary: 'Deletes a certificate before its first day',
  stepUp: 'recent',
  params: byId,
})

export const revokeCertificate = endpoint({
  method: 'POST',
  path: '/lane-certificates/:id/revoke',
  access: 'ScaleCertificates',
  summary: 'Revokes a certificate of a WIM lane with a reason',
  stepUp: 'recent',
  params: byId,
  body: z.object({ reason: requiredText(200), version }),
  response: laneCertificate,
})

export const storeCertificateFile = endpoint({
  method: 'POST',
  path: '/lane-certificates/:id/file',
  access: 'ScaleCertificates',
  summary: 'Stores the PDF of a certificate, `attachment` of a form; one in force keeps the file that it has',
  stepUp: 'recent',
  params: byId,
  raw: 'attachments',
  response: laneCertificate,
})

export const certificateFile = endpoint({
  method: 'GET',
  path: '/lane-certificates/:id/file',
  access: READERS,
  summary: 'Returns the PDF of a certificate, always as a download',
  params: byId,
  binary: 'application/octet-stream',
})

export const changePurpose = endpoint({
  method: 'PUT',
  path: '/lanes/:id/purpose',
  access: 'ScaleCertificates',
  summary: 'Sets what the figures of a WIM lane are for; `id` is 100 · station + lane number',
  stepUp: 'recent',
  params: byId,
  body: z.object({ purpose: z.enum(lanePurposes) }),
})
