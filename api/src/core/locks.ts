/**
 * All advisory locks, in one number space. Numbers of earlier versions, some of them hashes of names, are kept so that
 * old and new processes exclude each other during an upgrade. The job queue uses locks of its package.
 */
export const LOCKS = {
  /** Creating partitions. */
  partitions: -897_445_130,
  /** Changes that must leave an administrator. */
  accounts: -1_585_939_058,
  /** Derivation of daily from hourly traffic. */
  trafficDay: 155_198_380,
  /** Derivation of monthly figures of inspections. */
  inspectionMonth: 1_402,
  /** The next number of a ticket. */
  ticketNumber: -759_200_903,
  /** Derivation of repeat offenders, and splits. */
  offenders: 461_014,
  /** Derivation of traffic by quarters of an hour. */
  quarters: 461_015,
  /** The number of saved views of a user. */
  savedViews: 461_016,
  /** Derivation of distributions of traffic. */
  distributions: 461_017,
  /** Held by the leader that controls the signs. */
  signController: 1_203,
  /** Held by the leader that raises and clears alarms. */
  alarms: 18_682,
  /** Held by the leader that sends webhooks. */
  webhooks: 461_018,
  /** Sealing lines of logs, vehicles and images. */
  sealing: 461_023,
  /** First of two keys, the second by the address: counting mails to reset passwords. */
  resetMails: 461_025,
  /** First of two keys, the second by the name: a recurring job that runs. */
  recurringJobs: 461_024,
  /** Migrations; the number of `node-pg-migrate`. */
  migrations: 7_241_865_325_823_964,
} as const
