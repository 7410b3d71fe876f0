/// What `init` writes: every setting, its default and its meaning. `examples/reconcile.json` is the same text.
public let sampleConfiguration = """
    // Configuration of reconcile. Comments and trailing commas are allowed; relative paths start at this file's folder.
    // Durations: "90m", "24h", "7d". A setting that is left out has the default shown here.
    {
      app: {
        bundleIDs: ["com.example.game"],   // CHANGE THIS: the app's bundle ids; transactions of other apps are refused
        appAppleID: null,                  // the app's Apple ID, to compare with notifications
        environment: "Production",         // "Sandbox", "Xcode" or "LocalTesting" for tests
        appAccountToken: "account",        // what the token identifies: "account", "order", or "none" if unused
      },

      ledger: "ledger.sqlite",             // contains everything; back it up
      output: "out",                       // the reports: out/2025-11-18, out/latest
      timeZone: "Asia/Shanghai",           // CHANGE THIS: determines business dates and months
      language: "en",                      // or "zh-Hans"

      // The files that the backend delivers. {date} is YYYY-MM-DD ({date:yyyyMMdd} without hyphens), * is any text.
      // required: a day without the file is a coverage gap; what the file could have proven stays undetermined.
      // A feed may also have: format ("csv", "tsv", "jsonl", "json"), encoding ("gbk", "gb18030", "utf-16"), delimiter,
      //   header (of files without one), timeZone (for times without offset),
      //   columns: { order_id: "tradeNo",                                     standard name: the file's own, or a path
      //              origin: { value: "desk" },                               the same in every row
      //              status: { from: "state", words: { "已充值": "credited" } } }   the backend's word: ours
      //   where: { channel: "apple" }                                         only these rows
      feeds: [
        { kind: "orders",       path: "inbox/orders-{date}.csv", required: true },
        { kind: "credits",      path: "inbox/credits-{date}.csv", required: true },
        // trust: "signature" accepts only what Apple signed, "backend" also what the backend has checked.
        { kind: "transactions", path: "inbox/transactions-{date}.jsonl*", required: true, trust: "signature" },
        { kind: "receipts",     path: "inbox/receipts-{date}.jsonl*" },
        { kind: "acks",         path: "inbox/acks-{date}.jsonl" },
        { kind: "products",     path: "inbox/products.csv" },
      ],

      // How long something may take before its absence is an exception.
      grace: {
        credit: "1h",                      // a purchase without its credit
        receipt: "24h",                    // a receipt without a purchase
        refund: "24h",                     // a refund whose goods were not taken back
        apple: "168h",                     // a credit or paid order without Apple's record
      },
      orderTTL: "72h",                     // an unpaid order is closed after this time
      receiptTTL: "720h",                  // a rejected receipt without a purchase is closed after this time
      suggestionWindow: "24h",             // how long before a purchase its order may have been created
      lateAfter: "1h",                     // a later credit is flagged
      historyFrom: null,                   // a date such as "2026-01-01": anything older is out of scope
      compare: ["product", "quantity", "amount", "currency"],
      maxRejectedShare: 0.01,              // a file with a larger share of rejected rows is refused

      // The retry manifest for the backend's consumer.
      retry: {
        enabled: true,
        maxEntries: 10000,                 // more credits and reversals than this are held until released
        maxAmount: { CNY: "100000.00" },   // the same, per currency; other currencies are held. If left out: 100000 of each
        reverseRefunds: false,             // whether goods are taken back automatically after a refund
        maxAttempts: 6,                    // then the entry is dead and needs attention
      },

      // When input is so unusual that retry entries are held for review. Shares from 0 to 1.
      guard: {
        uncredited: 0.5,                   // a larger share of a date's purchases has no credit (20 purchases or more)
        rows: 0.333333,                    // a required feed has a smaller share of its usual rows (30 rows or more)
        invalid: 0.2,                      // a larger share of a date's transactions is for another app (20 or more)
      },

      // The look-up page for the desk: 'reconcile desk' behind a web server with a login.
      desk: {
        folder: "desk",                    // records who looked up what
        anonymous: false,                  // true: on this machine without a login, to try it
        mask: [],                          // logins that see masked accounts and tokens
        mayGive: [],                       // logins that may record goods given by hand
        limits: { memoryMB: 512, seconds: 10, outputMB: 2 },   // what one question may use
      },

      // The month: 'reconcile monthly'.
      finance: {
        calendar: "calendar",              // or "fiscal": months are closed by Apple's calendar; one choice for a ledger
        collect: "40d",                    // a sale that Apple has not reported after this time counts as never collected
        tolerance: {},                     // what may stay unexplained without a note: { CNY: "1.00" }; else 0
        accounts: {                        // of the suggested journal entries; null: the role's own name
          receivable: null,                // what Apple owes
          obligation: null,                // paid by customers, goods not given yet
          revenue: null,
          givenFree: null,                 // goods given without money
          owed: null,                      // what customers are owed
          suspense: null,                  // undecided or unexplained
        },
      },

      // Asking Apple: 'reconcile fetch' writes each day's notifications into inbox/apple-{date}.jsonl. docs/use/apple.md
      // apple: {
      //   issuerID: "57246542-96fe-1a63-e053-0824d011072a", keyID: "2X9R4HXF34",      the In-App Purchase key
      //   key: "/etc/reconcile/AuthKey_2X9R4HXF34.p8",                                mode 0600
      // },
      // and to the feeds: { kind: "transactions", path: "inbox/apple-{date}.jsonl", required: true },
      //   { kind: "transactions", path: "inbox/apple-asked-{date}.jsonl" },           single transactions
      //   { kind: "order-lookups", path: "inbox/apple-orders-{date}.jsonl" },         order ids of customers
      //   { kind: "acks", path: "inbox/apple-acks-{date}.jsonl" },                    answers to retry entries
      apple: null,

      group: null,                         // a Unix group that may read the ledger and the reports
      templates: null,                     // a folder with your own texts and layouts
      trustedRoots: [],                    // additional root certificates (DER or PEM), for test environments only
    }

    """
