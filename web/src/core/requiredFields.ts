type Scope = {
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  locations?: readonly number[] | undefined
}

/** Missing fields of a query for past data. */
export const missingFieldsOf = ({ dateTimeStart, dateTimeEnd, locations = [] }: Scope) => ({
  range: dateTimeStart === undefined || dateTimeEnd === undefined,
  locations: locations.length === 0,
})

export type MissingFields = ReturnType<typeof missingFieldsOf>

/** Whether no field is missing. */
export const isNothingMissing = (missing: MissingFields): boolean =>
  Object.values(missing).every((isMissing) => !isMissing)
