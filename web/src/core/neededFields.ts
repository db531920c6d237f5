type Scope = {
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  locations?: readonly number[] | undefined
}

/** What is needed before anything of the past can be asked for, and is not there. */
export const missingScope = ({ dateTimeStart, dateTimeEnd, locations = [] }: Scope) => ({
  range: dateTimeStart === undefined || dateTimeEnd === undefined,
  locations: locations.length === 0,
})

export type Missing = ReturnType<typeof missingScope>

/** Whether nothing is missing. */
export const isComplete = (missing: Missing): boolean => Object.values(missing).every((is) => !is)
