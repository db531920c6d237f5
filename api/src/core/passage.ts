/** The key of a vehicle; the id is not unique: a station may restart its sequence after a repair. */
export type PassageKey = { locationId: number; createdAt: Date; id: number }
