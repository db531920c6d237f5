import { laneId } from '@rogatka/contract/options.ts'
import { evidenceTypes } from '@rogatka/contract/reports.ts'
import { instant } from '@rogatka/contract/wire.ts'
import { sheetHeading } from '@rogatka/domain/certificates/validity.ts'
import { z } from 'zod'
import { certifiedLane } from '../certificates/public-api.ts'
import type { Config } from '../config.ts'
import { anonymiseFor, isAnonymised } from '../core/anonymity.ts'
import type { Database } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { shownOf } from '../core/look.ts'
import type { PassageKey } from '../core/passage.ts'
import { Refusal } from '../core/refusal.ts'
import type { Session } from '../core/sessions.ts'
import type { DocumentSigner, Packager } from '../evidence/public-api.ts'
import { limitsDocumentAt, listLegalLimits } from '../locations/public-api.ts'
import { inOneBatch, type ReportContext, reportKind, stampedName, zip } from '../reports/public-api.ts'
import { evidenceImageName, loadEvidenceImages } from './evidence-images.ts'
import { evidenceSheet, type SheetOptions } from './evidence-sheet.ts'
import { assertPackageAllowed } from './package-access.ts'
import { vehicleByKey } from './queries.ts'

const evidenceQuery = z.object({
  id: z.int(),
  locationId: z.int(),
  createdAt: instant,
  reportType: z.enum(evidenceTypes),
  /** File name prefix; the time follows. */
  name: z.string(),
})

/** Draws what an inspection found of a vehicle; null if it was not weighed. */
type InspectionBlock = (db: Database, session: Session, key: PassageKey) => Promise<SheetOptions['drawInspection']>

/** Number of an inspection of a vehicle whose entries in the audit log the user may have; null if there is none. */
type InspectionNumber = (db: Database, session: Session, key: PassageKey, now: Date) => Promise<string | null>

type Parts = {
  inspectionBlock: InspectionBlock
  inspectionNumber: InspectionNumber
  documents: DocumentSigner
  packager: Packager
}

export type EvidenceReport = ReturnType<typeof evidenceReport>

/** The evidence of one vehicle: the sheet, or a package of the sheet, the images as received and what proves them. */
export const evidenceReport = (
  files: Files,
  config: Pick<Config, 'overloadBasis' | 'imageRetentionDays' | 'buildCode'>,
  { inspectionBlock, inspectionNumber, documents, packager }: Parts,
) =>
  reportKind({
    name: 'evidence',
    access: ['CurrentMeasurements', 'ArchiveMeasurements'],
    query: evidenceQuery,
    shows: async ({ db }, { reportType: _, name: __, ...key }) => {
      const found = await vehicleByKey(db, key)
      return found ? { results: 1, shown: shownOf([found.plateLpr]), vehicle: key } : null
    },
    needsPurpose: ({ reportType }) => reportType === 'zip',
    create: async (context: ReportContext, { reportType, name, ...key }) => {
      const { db, now, session, language, issuer } = context
      if (reportType === 'zip') assertPackageAllowed(session)
      const found = await vehicleByKey(db, key)
      if (!found) throw new Refusal('vehicle-not-found', 404)
      const vehicle = anonymiseFor(session, found)
      const evidenceImages = await loadEvidenceImages(vehicle, files, isAnonymised(session))
      const law = limitsDocumentAt(await listLegalLimits(db, key.locationId), vehicle.createdAt)?.source ?? null
      const lane = laneId(key.locationId, vehicle.lane.laneNumber)
      const { purpose, certificates } = await certifiedLane(db, lane)
      const heading = sheetHeading(purpose, certificates, vehicle)
      const drawInspection = await inspectionBlock(db, session, key)
      // Content that is masked must not have the signature of the authority.
      const refusal = isAnonymised(session) ? 'anonymised' : heading.signed ? undefined : 'uncertified'
      const signature = documents.begin({ language, now, refusal })
      const sheet = await evidenceSheet({
        ...context,
        ...config,
        vehicle,
        evidenceImages,
        law,
        heading,
        drawInspection,
        signature,
      })
      if (reportType !== 'zip') return { name: stampedName(name, now, 'pdf'), content: inOneBatch(sheet) }
      const images = evidenceImages.flatMap((image) =>
        image.file ? [{ name: evidenceImageName(image), type: image.type, bytes: image.file.bytes }] : [],
      )
      const auditSubject = await inspectionNumber(db, session, key, now)
      const entries = await packager(db, { key, sheet, images, auditSubject, language, issuer, now })
      return { name: stampedName(name, now, 'zip'), content: zip(entries, now) }
    },
  })
