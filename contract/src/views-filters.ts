import { z } from 'zod'
import { archiveFilters } from './archive.ts'
import { presetNames } from './options.ts'
import { statisticFilters } from './statistics.ts'
import { sortColumns, vehicleFilters } from './vehicle.ts'
import { sortDirections } from './wire.ts'

/** The parameters that a view of a page may have, as text in its address. */
export const viewFilters = {
  current: vehicleFilters.extend({
    orderByColumnName: z.enum(sortColumns).optional(),
    orderDirection: z.enum(sortDirections).optional(),
  }),
  archive: archiveFilters.partial(),
  statistics: statisticFilters.partial().extend({ preset: z.enum(presetNames).optional() }),
} as const
