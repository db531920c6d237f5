import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { MAX_PLATES, MAX_READING_LENGTH } from './options.ts'
import { historyTypes, reportLink, reportTypes } from './reports.ts'
import {
  imageParams,
  imageScale,
  listFlags,
  newTag,
  sortColumns,
  tag,
  tagParams,
  timeClassCountry,
  vehicle,
  vehicleFilters,
  vehicleKey,
  vehicleLocation,
  vehicleParams,
} from './vehicle.ts'
import { newSearch, openedSearch, savedSearch, searchId, searchParams } from './vehicle-searches.ts'
import {
  instant,
  pageQuery,
  queryFlag,
  queryId,
  queryInt,
  queryInts,
  queryTexts,
  rangeFields,
  sortDirections,
} from './wire.ts'

export const PAGE_SIZE = 10
const MAX_PAGE_SIZE = 100
/** Maximum number of tagged vehicles without pagination. */
export const MAX_TAGGED = 1_000

const column = z.enum(sortColumns).optional()
const direction = z.enum(sortDirections).default('desc')

/** A plate, or one with its nationality. A nationality alone would match everything. */
const reading = z
  .string()
  .max(MAX_READING_LENGTH)
  .refine((text) => !/^[^\p{L}\p{N}]*:/u.test(text), 'invalid-value')

/** Filters of a search and its reports; `checkRanges` validates them as a whole. */
export const archiveFilters = vehicleFilters.extend({
  /** Start inclusive, end exclusive: [dateTimeStart, dateTimeEnd). */
  dateTimeStart: instant,
  dateTimeEnd: instant,
  locations: queryInts.pipe(z.array(z.int()).min(1, 'required-parameter-missing')),
  /**
   * As sent by stations; any one matches, whatever `plateLpr` is. `WGM4K281:PL` matches only with this nationality as sent,
   * `WGM4K281:` only without one.
   */
  plates: queryTexts.pipe(z.array(reading).max(MAX_PLATES)).optional(),
  ...timeClassCountry.shape,
  /** Only vehicles tagged by the caller. */
  taggedOnly: queryFlag.optional(),
  /** Default: createdAt. Ties: newest first, then by id; missing values last. */
  orderByColumnName1: column,
  orderDirection1: direction,
  orderByColumnName2: column,
  orderDirection2: direction,
  orderByColumnName3: column,
  orderDirection3: direction,
})
export type ArchiveFilters = z.output<typeof archiveFilters>
export type WireArchiveFilters = z.input<typeof archiveFilters>

/** Filters of which any may be missing. */
export type PartialFilters = { [K in keyof ArchiveFilters]?: ArchiveFilters[K] | undefined }

type FilterIssue = { path: string; message: 'start-after-end' | 'min-greater-than-max' | 'required-parameter-missing' }

/** A start that is not before the end, and a minimum above its maximum (0 is none), each with its field. */
export function rangeIssues(filters: PartialFilters): FilterIssue[] {
  const { dateTimeStart, dateTimeEnd, ...rest } = filters
  const issues: FilterIssue[] = []
  if (dateTimeStart && dateTimeEnd && dateTimeStart >= dateTimeEnd)
    issues.push({ path: 'dateTimeStart', message: 'start-after-end' })
  for (const field of rangeFields) {
    const [min, max] = [rest[`min${field}`], rest[`max${field}`]]
    if (min && max && min > max) issues.push({ path: `min${field}`, message: 'min-greater-than-max' })
  }
  return issues
}

/** Rejects filters with `rangeIssues`. */
export const checkRanges = <F extends z.ZodObject>(filters: F): F =>
  filters.superRefine(
    (values, context) => {
      for (const { path, message } of rangeIssues(values)) context.addIssue({ code: 'custom', path: [path], message })
    },
    // Also if there are other errors: all are reported together.
    { when: () => true },
  )

const REQUIRED = ['dateTimeStart', 'dateTimeEnd', 'locations'] as const

/** The required filters that are missing. */
export const missingIssues = (filters: PartialFilters): FilterIssue[] =>
  REQUIRED.filter((field) => filters[field] === undefined).map((path) => ({
    path,
    message: 'required-parameter-missing',
  }))

/** Filters of a search whose required ones may be those of a saved search. */
const addressFilters = archiveFilters
  .partial({ dateTimeStart: true, dateTimeEnd: true, locations: true })
  .extend({ search: searchId.optional() })

/** What a search saves: its filters, without paging and order. */
export const savedFilters = archiveFilters
  .omit({
    orderByColumnName1: true,
    orderDirection1: true,
    orderByColumnName2: true,
    orderDirection2: true,
    orderByColumnName3: true,
    orderDirection3: true,
  })
  .partial()

export const saveSearch = endpoint({
  method: 'POST',
  path: '/arch-vehicles/searches',
  access: 'ArchiveMeasurements',
  system: true,
  summary: 'Saves filters, such as a plate, for 12 hours; its id replaces them in addresses, for the caller only',
  body: newSearch(savedFilters),
  response: savedSearch,
  rate: 'searches',
})

export const openSearch = endpoint({
  method: 'GET',
  path: '/arch-vehicles/searches/:id',
  access: 'ArchiveMeasurements',
  system: true,
  summary: "Returns the filters of a saved search of the caller's",
  params: searchParams,
  response: openedSearch(savedFilters),
})

const listFields = {
  ...listFlags.shape,
  page: queryId.optional(),
  limit: queryInt.pipe(z.int().min(1).max(MAX_PAGE_SIZE)).optional(),
}

/** A search with all its filters. */
export const searchQuery = checkRanges(archiveFilters.extend(listFields))
export type SearchQuery = z.output<typeof searchQuery>

export const search = endpoint({
  method: 'GET',
  path: '/arch-vehicles',
  access: 'ArchiveMeasurements',
  system: true,
  summary:
    'Searches vehicles with filters, or with those of a saved search, and sorting, by page; tagged vehicles also without paging (at most 1,000)',
  query: checkRanges(addressFilters.extend(listFields)).superRefine(
    (values, context) => {
      if (values.search) return
      for (const { path, message } of missingIssues(values)) context.addIssue({ code: 'custom', path: [path], message })
    },
    { when: () => true },
  ),
  response: z.object({ content: z.array(vehicle), totalCount: z.int() }),
  looks: 'each',
})

/** A search, or one vehicle by `id`, for which no filter is required. */
const reportQuery = checkRanges(
  addressFilters.extend({
    reportType: z.enum(reportTypes),
    withTags: queryFlag.optional(),
    id: queryId.optional(),
    locationId: queryId.optional(),
    createdAt: instant.optional(),
  }),
).superRefine(
  ({ id, reportType, search, ...filters }, context) => {
    if (id !== undefined) {
      // One vehicle is no table.
      if (reportType === 'parquet') context.addIssue({ code: 'custom', path: ['reportType'], message: 'invalid-value' })
      return
    }
    const missing = [
      ...(!search ? missingIssues(filters).map(({ path }) => path) : []),
      ...(reportType === 'zip' ? ['id'] : []),
    ]
    for (const field of missing)
      context.addIssue({ code: 'custom', path: [field], message: 'required-parameter-missing' })
  },
  { when: () => true },
)

export const report = endpoint({
  method: 'GET',
  path: '/arch-vehicles/report',
  access: 'ArchiveMeasurements',
  summary:
    'Creates a report of a search, or of one vehicle: its evidence sheet (pdf), or the sheet with its images (zip); returns a link',
  query: reportQuery,
  response: reportLink,
  rate: 'report',
})

/** A month (UTC) in a query: 2026-10. */
const utcMonth = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)

export const exportMonth = endpoint({
  method: 'GET',
  path: '/arch-vehicles/export',
  access: 'ArchiveMeasurements',
  system: true,
  summary: 'Returns the vehicles of a station and month (UTC) as a Parquet file, without plates, in the order of time',
  query: z.object({ locationId: queryId, month: utcMonth }),
  binary: 'application/octet-stream',
  rate: 'report',
})

export const detail = endpoint({
  method: 'GET',
  path: '/arch-vehicles/:id',
  access: 'ArchiveMeasurements',
  system: true,
  summary: 'Returns an archived vehicle; without createdAt, the newest of the last 31 days',
  params: vehicleParams,
  query: vehicleKey.extend(listFlags.shape),
  response: vehicle,
  looks: 'each',
})

export const HISTORY_DAYS = 90
const MAX_HISTORY_DAYS = 366
/** Up to now. */
const historyDays = queryInt.pipe(z.int().min(1).max(MAX_HISTORY_DAYS)).default(HISTORY_DAYS)

export const history = endpoint({
  method: 'GET',
  path: '/arch-vehicles/:id/history',
  access: 'ArchiveMeasurements',
  summary:
    "Lists the detections of a vehicle's plate and of its likely misreadings at all stations, newest first; never to users of anonymised data",
  params: vehicleParams,
  query: vehicleKey.extend({
    days: historyDays,
    ...pageQuery.shape,
  }),
  response: z.object({
    /** As the camera read it; null: the plate is unreadable, there is no history. */
    plateLpr: z.string().nullable(),
    nationality: z.string().nullable(),
    from: instant,
    /** With axles and images. `likeness`: of the reading with the plate, in percent. */
    content: z.array(vehicle.extend({ likeness: z.int() })),
    totalCount: z.int(),
    /** Of these overloaded. */
    overloaded: z.int(),
  }),
  looks: 'each',
})

/** Minimum length of a beginning, and the maximum number of plates of an answer. */
export const BEGINNING_LENGTH = 2
export const MAX_FOUND_PLATES = 3

/** Any case, with or without gaps. */
const beginning = z.string().trim().min(BEGINNING_LENGTH, 'invalid-value').max(MAX_READING_LENGTH)

const foundPlates = z.object({
  /** Newest detection first. */
  content: z.array(
    z.object({
      plateLpr: z.string(),
      /** Detections in these 90 days. */
      detections: z.int(),
      /** The newest one. */
      last: z.object({
        id: z.int(),
        createdAt: instant,
        nationality: z.string().nullable(),
        location: vehicleLocation,
      }),
    }),
  ),
})

export const findPlates = endpoint({
  method: 'POST',
  path: '/arch-vehicles/plates',
  access: 'ArchiveMeasurements',
  summary:
    'Finds the plates with a beginning that were detected last in 90 days, at most three; never for users of anonymised data',
  body: z.object({ beginning }),
  response: foundPlates,
  looks: 'visit',
  rate: 'plates',
})

export const plates = endpoint({
  method: 'GET',
  path: '/arch-vehicles/plates',
  access: 'ArchiveMeasurements',
  summary: 'The same with the beginning in the address, which POST avoids',
  query: z.object({ beginning }),
  response: foundPlates,
  rate: 'plates',
  looks: 'visit',
})

export const historyReport = endpoint({
  method: 'GET',
  path: '/arch-vehicles/:id/history/report',
  access: 'ArchiveMeasurements',
  summary: "Creates a list of the detections in the history of a vehicle's plate; returns a link",
  params: vehicleParams,
  query: vehicleKey.extend({ days: historyDays, reportType: z.enum(historyTypes) }),
  response: reportLink,
  rate: 'report',
})

export const image = endpoint({
  method: 'GET',
  path: '/arch-vehicles/:id/images/:number',
  access: 'ArchiveMeasurements',
  system: true,
  summary: 'Returns an image of an archived vehicle (JPEG), by its index in images[]',
  params: imageParams,
  query: vehicleKey.extend(imageScale.shape),
  binary: 'image/jpeg',
  looks: 'each',
})

export const tags = endpoint({
  method: 'GET',
  path: '/arch-vehicles/:id/tags',
  access: 'ArchiveMeasurements',
  summary: "Lists the caller's tags of an archived vehicle",
  params: vehicleParams,
  query: vehicleKey,
  response: z.array(tag),
})

export const addTag = endpoint({
  method: 'POST',
  path: '/arch-vehicles/:id/tags',
  access: 'ArchiveMeasurements',
  summary: 'Tags an archived vehicle for the caller only; a repeated request returns the same tag',
  params: vehicleParams,
  query: vehicleKey,
  body: newTag,
  response: tag,
})

export const removeTag = endpoint({
  method: 'DELETE',
  path: '/arch-vehicles/:id/tags/:tagId',
  access: 'ArchiveMeasurements',
  summary: "Deletes the caller's tag",
  params: tagParams,
  query: vehicleKey,
})
