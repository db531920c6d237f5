/** The key of a vehicle; the id is not unique: a station may restart its sequence after a repair. */
export type PassageKey = { locationId: number; createdAt: Date; id: number }

/** A vehicle as text, for maps and notifications; its id contains its station. */
export const vehicleKey = ({ id, createdAt }: Pick<PassageKey, 'id' | 'createdAt'>) => `${id}@${createdAt.getTime()}`
