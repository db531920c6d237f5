import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { inspectionStates, MAX_NATIONALITIES } from './options.ts'
import { weighing } from './vehicle-weighing.ts'
import { instant, queryFlag, queryId, queryInt, queryInts, queryNumber, queryTexts } from './wire.ts'

/** Violations, in the order of their bits in the database. */
export const violations = ['overload', 'overheight', 'overspeed', 'overlane', 'wrongDirection'] as const
export type Violation = (typeof violations)[number]

/** Filter categories [8+1], in the order of the tiles; `lack` is not classified (6 or none). */
export const categories = ['10', '7', '2', '11', '5', '3', '8', '9', 'lack'] as const
export type Category = (typeof categories)[number]
/** Numbers of the categories [8+1]; 6 is not classified. */
export const ctg8p1Numbers = [2, 3, 5, 6, 7, 8, 9, 10, 11] as const

export const sortColumns = [
  'createdAt',
  'locationId',
  'plateLpr',
  'speed',
  'totalLoad',
  'vehLength',
  'vehHeight',
  'numberOfAxles',
  'ctg8p1',
  'overloadSA',
  'overloadMA',
  'overloadTL',
] as const
export type SortColumn = (typeof sortColumns)[number]

export const imageTypes = ['front', 'rear', 'plate', 'side', 'overview'] as const
export type ImageType = (typeof imageTypes)[number]

/** An axle: loads in kg, spacing in cm to the previous axle (0 for the first), overload in percent. */
export const axle = z.object({
  /** 1 single, 2 tandem, 3 tridem, above: shown as W. */
  type: z.int(),
  totalLoad: z.int(),
  minTotalLoad: z.int(),
  maxTotalLoad: z.int(),
  leftWeight: z.int().nullable(),
  rightWeight: z.int().nullable(),
  gap: z.int(),
  /** kg */
  limitTotalLoad: z.int().nullable(),
  overload: z.number(),
})
export type Axle = z.infer<typeof axle>

/** Axle group: spacings of at most 180 cm, evaluated together. */
const axlesGroup = z.object({
  /** Number of axles. */
  type: z.int(),
  totalLoad: z.int(),
  minTotalLoad: z.int(),
  maxTotalLoad: z.int(),
  limitTotalLoad: z.int().nullable(),
  /** Percent over the limit; 0 within it. */
  overload: z.number(),
  /** Numbers of the axles, from 1. */
  axles: z.array(z.int()),
})
export type AxlesGroup = z.infer<typeof axlesGroup>

export const axlesComplex = z.object({
  minTotalLoad: z.int(),
  totalLoad: z.int(),
  maxTotalLoad: z.int(),
  axlesGroups: z.array(axlesGroup),
})
export type AxlesComplex = z.infer<typeof axlesComplex>

/** Catalogue data of the vehicle. */
export const euro = z.object({
  make: z.string().max(60).nullish(),
  model: z.string().max(60).nullish(),
  veh_type: z.string().max(60).nullish(),
  euro_norm: z.string().max(20).nullish(),
  production_date: z.iso.date().nullish(),
  fuel_type: z.string().max(40).nullish(),
  catalogue_number: z.string().max(40).nullish(),
})
export type Euro = z.infer<typeof euro>

/** `number` is the image's position, from 1, used by the image endpoint. */
export const image = z.object({
  number: z.int(),
  type: z.enum(imageTypes),
  /**
   * Address for this kind of viewer, below the API base: append `/full` or `/thumbnail`. In all lists and details; an
   * image that replaces another has another address.
   */
  path: z.string().optional(),
  /** Size in bytes and SHA-256 (hex) of the original; only with `withDataImages`. */
  size: z.int().optional(),
  sha256: z.string().optional(),
})
export type Image = z.infer<typeof image>

/** Type 1 is the normal tag. Tags are private to their user. */
export const tag = z.object({
  id: z.int(),
  private: z.boolean(),
  type: z.int(),
  data: z.string().nullable(),
  description: z.string().nullable(),
})
export type Tag = z.infer<typeof tag>

export const newTag = z.object({
  private: z.literal(true).default(true),
  type: z.literal(1).default(1),
  data: z.string().max(200).nullish(),
  description: z.string().max(100).default('Normal tag'),
})

export const vehicleLocation = z.object({
  id: z.int(),
  shortName: z.string(),
  name: z.string(),
  roadNumber: z.string(),
  chainage: z.string(),
  direction: z.string(),
})

/** List mark for the caller; black takes precedence over white. */
export const wantedMark = z.object({
  /** 0 black: wanted; 1 white: its violations are not marked. */
  typeOfList: z.union([z.literal(0), z.literal(1)]),
  description: z.string(),
})
export type WantedMark = z.infer<typeof wantedMark>

/** The inspection of a vehicle: the open one, else the latest. Anonymised users get only its state. */
const inspectionMark = z.object({
  id: z.int().nullable(),
  number: z.string().nullable(),
  state: z.enum(inspectionStates),
  /** Only in details: whether the caller may open it. */
  isVisible: z.boolean().optional(),
})
export type InspectionMark = z.infer<typeof inspectionMark>

export const vehicle = z.object({
  id: z.int(),
  createdAt: instant,
  checkpointTime: instant.nullable(),
  plateVmsReadablePointAt: instant.nullable(),
  location: vehicleLocation,
  lane: z.object({ laneNumber: z.int(), accuracyClass: z.object({ name: z.string() }).nullable() }),
  plateLpr: z.string().nullable(),
  nationality: z.string().nullable(),
  /** The number of the import that stored it; absent for vehicles that stations sent. */
  importId: z.int().optional(),
  speed: z.int().nullable(),
  speedLimit: z.int().nullable(),
  overspeed: z.boolean(),
  totalLoad: z.int().nullable(),
  limitTotalLoad: z.int().nullable(),
  ctg8p1: z.int().nullable(),
  ctg323: z.int().nullable(),
  overload: z.boolean(),
  /** Percent over the limit of the worst single axle, axle group, and of the total; 0 within it, null without a scale. */
  overloadSA: z.number().nullable(),
  overloadMA: z.number().nullable(),
  overloadTL: z.number().nullable(),
  overheight: z.boolean(),
  vehHeight: z.int().nullable(),
  limitHeight: z.int().nullable(),
  vehLength: z.int().nullable(),
  limitLength: z.int().nullable(),
  numberOfAxles: z.int().nullable(),
  wrongDirection: z.boolean(),
  overlane: z.boolean(),
  axles: z.array(axle).optional(),
  axlesComplex: axlesComplex.nullish(),
  euro: euro.nullish(),
  images: z.array(image).optional(),
  /** Height profile along the vehicle, in cm, from front to rear. */
  shapeSamples: z.array(z.int()).nullish(),
  tags: z.array(tag).optional(),
  /** In lists and details, if an entry visible to the caller matches. */
  wanted: wantedMark.optional(),
  /** In the live list and in details, if there is one. */
  inspection: inspectionMark.optional(),
  /** In details: the static weights of the latest inspection with weights; absent for anonymised users. */
  weighing: weighing.extend({ number: z.string(), at: instant }).optional(),
})
/** A vehicle in the server: times are Dates. */
export type Vehicle = z.output<typeof vehicle>
/** A vehicle in wire form: times are ISO 8601 text. */
export type WireVehicle = z.input<typeof vehicle>

const range = queryNumber.optional()

/** Vehicles with any of the selected violations match. */
export const violationFlags = z.object({
  overload: queryFlag.optional(),
  overheight: queryFlag.optional(),
  overspeed: queryFlag.optional(),
  overlane: queryFlag.optional(),
  wrongDirection: queryFlag.optional(),
})

/** Filters that live list, archive and statistics share. A bound of 0 means no bound. */
export const vehicleFilters = z.object({
  locations: queryInts.optional(),
  ctg8p1: queryTexts.pipe(z.array(z.enum(categories))).optional(),
  laneNumbers: queryInts.optional(),
  plateLpr: z.string().max(20).optional(),
  /** Minimum similarity, percent. */
  similarity: queryNumber.pipe(z.number().min(0).max(100)).optional(),
  minSpeed: range,
  maxSpeed: range,
  minTotalLoad: range,
  maxTotalLoad: range,
  minVehLength: range,
  maxVehLength: range,
  minVehHeight: range,
  maxVehHeight: range,
  minNumberOfAxles: range,
  maxNumberOfAxles: range,
  minOverloadSA: range,
  maxOverloadSA: range,
  minOverloadMA: range,
  maxOverloadMA: range,
  minOverloadTL: range,
  maxOverloadTL: range,
  ...violationFlags.shape,
})
export type VehicleFilters = z.output<typeof vehicleFilters>

/** Further filters of past vehicles; an empty list is no filter. */
export const timeClassCountry = z.object({
  /** Hours of the day in Polish time, 0 to 23; and weekdays, 0 Monday to 6 Sunday. */
  hours: queryInts.pipe(z.array(z.int().min(0).max(23))).optional(),
  weekdays: queryInts.pipe(z.array(z.int().min(0).max(6))).optional(),
  /** COST 323 classes; 0: not classified. */
  ctg323: queryInts.pipe(z.array(z.int().min(0).max(8))).optional(),
  /** As sent by stations, `PL`; `-`: without one. */
  nationalities: queryTexts.pipe(z.array(z.string().max(3)).max(MAX_NATIONALITIES)).optional(),
})
export type TimeClassCountry = z.output<typeof timeClassCountry>

/** Optional fields in lists of vehicles. */
export const listFlags = z.object({
  withAxles: queryFlag.optional(),
  withImages: queryFlag.optional(),
  withShapeSamples: queryFlag.optional(),
  withTags: queryFlag.optional(),
  withDataImages: queryFlag.optional(),
})
export type ListFlags = z.output<typeof listFlags>

export const vehicleParams = z.object({ id: queryId })
export const imageParams = z.object({ id: queryId, number: queryInt.pipe(z.int().min(1).max(imageTypes.length)) })
export const tagParams = z.object({ id: queryId, tagId: queryId })

/** Location and, if known, time: together with the id they identify one detection. */
export const vehicleKey = z.object({ locationId: queryId, createdAt: instant.optional() })

/** Kinds of viewers: anonymised users get blurred images. */
const imageViewers = ['sharp', 'anonymised'] as const
export const imageVersions = ['full', 'thumbnail'] as const

/** A signed address of an image; ids contain the location. */
export const imageAddress = z.object({
  viewer: z.enum(imageViewers),
  id: queryId,
  createdAt: instant,
  type: z.enum(imageTypes),
  /** Of the original, in hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  signature: z.string().max(100),
})

export const imageVersion = endpoint({
  method: 'GET',
  path: '/vehicle-images/:viewer/:id/:createdAt/:type/:sha256/:signature/:version',
  access: ['CurrentMeasurements', 'ArchiveMeasurements'],
  device: true,
  system: true,
  summary: 'Returns an image by its path in images[], in full or as a thumbnail (JPEG); cacheable',
  params: imageAddress.extend({ version: z.enum(imageVersions) }),
  binary: 'image/jpeg',
  looks: 'each',
})

/** 0.1 to 1: scale of width and height. Lists request 0.3. */
export const imageScale = z.object({ scale: queryNumber.pipe(z.number().min(0.1).max(1)).optional() })

/** The scale of thumbnails. */
export const THUMBNAIL_SCALE = 0.3
