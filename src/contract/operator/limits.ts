/** Every limit that a user of the operator's API can reach. */
export const operatorLimits = {
  callsPerMinute: 1_200,
  /** Calls without credentials, such as signing in, per source address. */
  triesPerMinute: 60,
  pageSize: { min: 1, max: 500, default: 50 },
  /** Of the lists that were once returned whole: what most installations have is one page. */
  longPageSize: { min: 1, max: 500, default: 500 },
  reasonLength: 500,
  noteLength: 2_000,
  notesOfReservation: 500,
  /** Of a filter. */
  searchTextLength: 100,
  /** Of each kind that the one search finds. */
  searchItems: 12,
  calendarDays: { min: 1, max: 120, default: 42 },
  /** Whose rates one call sets. */
  homesOfRates: 1_000,
  /** Most homes to which a reservation could move, in one list. */
  freeHomes: 50,
  /** Nights of all homes of such a call together. */
  nightsOfRates: 100_000,
  /** What a pricing tool sets with one call: homes, dates of all of them, and the values of its body. */
  bulkRates: { homes: 1_000, dates: 10_000, values: 250_000 },
  /** A home with its rates. */
  listingBytes: 4 * 1024 * 1024,
  /** Calls of one operation that read a whole home, in a process at the same time. */
  homesAtOnce: 4,
  /** A catalog file, spreadsheet or calendar. Larger files need the command line. */
  fileBytes: 32 * 1024 * 1024,
  /** Lines of a spreadsheet. More need the command line. */
  csvLines: 20_000,
  /** Calls of one operation that read or write such a file, in a process at the same time. */
  filesAtOnce: 2,
  /** Reconciliations of a process at the same time. */
  reconcilesAtOnce: 1,
  /** Most lines of a spreadsheet whose changes are described. */
  describedChanges: 1_000,
  /** The file of a picture. */
  pictureBytes: 20 * 1024 * 1024,
  /** Uploads that a process accepts at the same time. */
  uploadsAtOnce: 4,
  /** Most pictures of a home. */
  picturesOfHome: 200,
  /** Of the text of a picture. */
  altLength: 500,
  /** Most arrivals, departures and failing endpoints of an overview. */
  overviewItems: 100,
  /** Exports and statements of one kind that a process makes at the same time. */
  exportsAtOnce: 2,
  /** Most rows of the ledger in one export. */
  exportedEntries: 50_000,
  /** Most lines of a statement. */
  statementLines: 100_000,
  /** Most stays of a day sheet. */
  daySheetStays: 20_000,
  /** How many stays of each list a day sheet begins with. */
  firstOfDaySheet: 25,
  /** Most stays of an export. */
  exportedStays: 50_000,
  /** Most items of each subject in the list of what waits for people. */
  attentionItems: 500,
  /** The largest number that an overview counts to. */
  overviewCount: 1_000,
  /** Most bookings of one person that are found, exported or erased at once. */
  bookingsOfGuest: 1_000,
  /** Most erasures of a file that one call carries out. */
  erasuresAtOnce: 10_000,
  overviewDays: 30,
  /** Most rows of the bookings by day, application and currency. */
  bookedDayRows: 10_000,
  funnelWeeks: { max: 60, default: 12 },
  /** Most applications, homes and reasons of a funnel. */
  funnelItems: 100,
  tokenDays: { max: 365, default: 90 },
  invitationHours: 24,
  /** A session ends this long after signing in, and after this long without a call. */
  sessionHours: 12,
  idleMinutes: 60,
  /** Secrets and money are open to a session for this long after its password or code. */
  stepUpMinutes: 10,
  /** Wrong passwords for one account from one address. */
  passwordsPerMinute: 5,
  /** Wrong passwords for all accounts from one network from which the account does not sign in. */
  passwordsOfNetworkPerMinute: 30,
  /** Wrong codes for one account, after the right password. */
  codesPerMinute: 3,
  passkeysOfMember: 10,
  /** Of the ID that an authenticator gives a passkey: 1,023 bytes in base64url. */
  passkeyIdLength: 1_364,
  passkeyNameLength: 60,
  /** Failed sign-ins in the audit trail, from one address and in all: nobody can fill it. */
  recordedFailuresPerMinute: { address: 10, all: 60 },
  passwordLength: { min: 12, max: 200 },
  tokenNameLength: 100,
  /** Calls per minute of one tier of an application. */
  quota: { max: 1_000_000_000 },
  adjustPercent: { min: -100, max: 1_000 },
  commissionPercent: { min: 0, max: 100 },
  reservationsPerDay: { max: 1_000_000 },
  keyDays: { max: 3_650 },
  /** Of 32 bytes in base64url, after the prefix. */
  tokenLength: 43,
} as const;
