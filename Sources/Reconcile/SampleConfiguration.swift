/// What `init` writes: every setting, its default and its meaning. `examples/reconcile.json` is the same text.
let sampleConfiguration = """
    // Configuration of reconcile. Comments and trailing commas are allowed; relative paths start at this file's folder.
    // Durations: "90m", "24h", "7d". What is left out has the default that stands here.
    {
      app: {
        bundleIDs: ["com.example.game"],   // CHANGE THIS: the app's bundle ids; transactions of others are refused
        appAppleID: null,                  // the app's number at Apple, to compare notifications with
        environment: "Production",         // "Sandbox", "Xcode" or "LocalTesting" for test set-ups
        appAccountToken: "account",        // what the token names: "account", "order", or "none" where unused
      },

      ledger: "ledger.sqlite",             // remembers everything; back it up
      output: "out",                       // the reports: out/2025-11-18, out/latest
      timeZone: "Asia/Shanghai",           // CHANGE THIS: decides business dates and months
      language: "en",                      // or "zh-Hans"

      // The files that the backend delivers. {date} is YYYY-MM-DD, * anything; each file may be gzip-compressed.
      // required: a day without the file is a blind spot, and what it could have proven stays undetermined.
      // A feed may add: format ("csv", "tsv", "jsonl"), timeZone (of times without offset),
      //   columns: { order_id: "tradeNo", amount_minor: "rechargeValue" }   standard name: the file's own
      //   statuses: { "已充值": "credited" }                                  the backend's word: ours
      feeds: [
        { kind: "orders",       path: "inbox/orders-{date}.csv", required: true },
        { kind: "credits",      path: "inbox/credits-{date}.csv", required: true },
        // trust: "signature" believes Apple's signatures alone, "backend" what the backend has checked as well.
        { kind: "transactions", path: "inbox/transactions-{date}.jsonl*", required: true, trust: "signature" },
        { kind: "receipts",     path: "inbox/receipts-{date}.jsonl*" },
        { kind: "acks",         path: "inbox/acks-{date}.jsonl" },
        { kind: "products",     path: "inbox/products.csv" },
      ],

      // How long something may be open before it becomes an exception.
      grace: {
        credit: "1h",                      // a purchase without its credit
        receipt: "24h",                    // a receipt that nothing explains
        refund: "24h",                     // a refund whose goods are not taken back
        apple: "168h",                     // a credit or paid order without Apple's record
      },
      orderTTL: "72h",                     // an unpaid order is closed after that
      receiptTTL: "720h",                  // a rightly refused receipt is closed after that
      suggestionWindow: "24h",             // how long before a purchase its order may have been created
      lateAfter: "1h",                     // a credit later than that is flagged
      historyFrom: null,                   // a date such as "2026-01-01": what is older is out of scope
      compare: ["product", "quantity", "amount", "currency"],
      maxRejectedShare: 0.01,              // more unusable rows than that refuse a file whole

      // What the backend's retry job may be handed.
      retry: {
        enabled: true,
        maxEntries: 10000,                 // more credits and reversals are held until a person releases them
        maxAmount: { CNY: "100000.00" },   // the same, per currency; one that is not named here is held. Left out: 100000 of each
        reverseRefunds: false,             // whether a machine may take goods back after a refund
        maxAttempts: 6,                    // then the entry is dead and a person must look
      },

      // From when on a person must look at the input before anything goes out, shares from 0 to 1.
      guard: {
        uncredited: 0.5,                   // more of a date's purchases without a credit (of 20 or more)
        rows: 0.333333,                    // fewer of a required feed's usual rows (of 30 or more)
        invalid: 0.2,                      // more of a date's transactions of another app (of 20 or more)
      },

      group: null,                         // a Unix group that may read ledger and reports
      templates: null,                     // a folder of own texts and column layouts
      trustedRoots: [],                    // further root certificates (DER or PEM), for test environments only
    }

    """
