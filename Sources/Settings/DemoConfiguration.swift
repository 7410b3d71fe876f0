/// The sample's `reconcile.json`. Settings that it leaves out have their defaults; `reconcile init` writes all of them.
public let demoConfiguration = """
    // The sample's configuration. Comments and trailing commas are allowed; relative paths start at this folder.
    {
      app: {
        bundleIDs: ["com.example.stargarden"],
        environment: "Production",
        appAccountToken: "account",        // each account has one token, and all its purchases carry it
      },

      ledger: "ledger.sqlite",             // what the nights remember
      output: "out",                       // the reports: out/2025-11-18, out/latest
      timeZone: "Asia/Shanghai",
      language: "en",                      // try "zh-Hans"

      feeds: [
        { kind: "orders",       path: "inbox/orders-{date}.csv", required: true },
        // Japan runs a server of its own. Its file of 2025-11-17 came a day late: see the reports of that night.
        { kind: "orders",       path: "inbox/orders-jp-{date}.csv", required: true },
        { kind: "credits",      path: "inbox/credits-{date}.csv", required: true },
        // Nobody can sign a sample in Apple's name: here the backend vouches for what it checked. With your own
        // data keep the signed transactions and write trust: "signature".
        { kind: "transactions", path: "inbox/transactions-{date}.jsonl", required: true, trust: "backend" },
        // What verifyReceipt answered for old versions of the app: no prices in it.
        { kind: "transactions", path: "inbox/transactions-verifyreceipt-{date}.jsonl", trust: "backend" },
        { kind: "receipts",     path: "inbox/receipts-{date}.csv" },
        { kind: "products",     path: "products.csv" },
      ],

      historyFrom: "2025-10-01",           // what is older is out of scope
      maxRejectedShare: 0.2,               // of a sample of few rows, one that is bad is many in a hundred
    }

    """
