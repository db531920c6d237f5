/**
 * Every advisory lock of the database, in one number space. The numbers are those of earlier versions, hashes of names
 * among them, so that old and new processes exclude each other during an upgrade. The migrations and the job queue take
 * locks of their own packages.
 */
export const LOCKS = {
  /** Creating partitions. */
  partitions: -897_445_130,
  /** Changes that must leave an administrator. */
  accounts: -1_585_939_058,
  /** Deriving daily from hourly traffic. */
  trafficDay: 155_198_380,
  /** The next number of a ticket. */
  ticketNumber: -759_200_903,
  /** Held by the process that controls the signs, as long as it does. */
  signController: 1_203,
} as const
