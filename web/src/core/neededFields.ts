type Scope = {
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  locations?: readonly number[] | undefined
}

/** Missing fields of a query for past data. */
export const missingScope = ({ dateTimeStart, dateTimeEnd, locations = [] }: Scope) => ({
  range: dateTimeStart === undefined || dateTimeEnd === undefined,
  locations: locations.length === 0,
})

export type Missing = ReturnType<typeof missingScope>

/** Whether no field is missing. */
export const isComplete = (missing: Missing): boolean => Object.values(missing).every((isMissing) => !isMissing)
