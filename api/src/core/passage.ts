/** Names one passage. The id alone does not: a station's numbers may start again after a repair. */
export type PassageKey = { locationId: number; createdAt: Date; id: number }
