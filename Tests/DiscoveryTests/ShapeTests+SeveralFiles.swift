import Testing

/// Files whose ids are compared with each other: shards, services of one shop, credits and their orders.
extension ShapeTests {
    /// Two shards, each of which counts from one.
    @Test func shardsThatUseTheSameIds() throws {
        let header = "id,user_id,sku,price,currency,state,apple_tx,created_at"
        for (name, first) in [("a", 0), ("b", 100)] {
            let part = Purchase.all(8, first: first, seed: first / 100)
            try samples.write(part.records, to: "apple-\(name)-2026-07-13.jsonl")
            try samples.write(
                part.rows(header) {
                    "\($0.number - first + 1),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.transaction),\($0.clock("yyyy-MM-dd HH:mm:ssXXX", "UTC"))"
                }, to: "orders_\(name)_20260713.csv")
            try samples.write(
                part.rows("grant_id,order_id,user_id,sku,granted_at") {
                    "\($0.number - first + 1),\($0.number - first + 1),\($0.account),\($0.product),\($0.paid + 9000)"
                }, to: "grants_\(name)_20260713.csv")
        }
        func orders(_ name: String, _ prefixes: Set<String>) -> Answers {
            Answers(
                "orders_\(name)_{date:yyyyMMdd}.csv", "orders",
                [
                    "order_id": "id", "account_id": "user_id", "product_id": "sku", "amount": "price",
                    "currency": "currency",
                    "status": "state", "transaction_id": "apple_tx", "created_at": "created_at",
                ], prefixes: prefixes)
        }
        func grants(_ name: String, _ prefixes: Set<String>) -> Answers {
            Answers(
                "grants_\(name)_{date:yyyyMMdd}.csv", "credits",
                [
                    "credit_id": "grant_id", "order_id": "order_id", "account_id": "user_id", "product_id": "sku",
                    "credited_at": "granted_at",
                ], prefixes: prefixes)
        }
        try check(
            Answers("apple-a-{date}.jsonl", "transactions", settings: ["trust": "backend?"]),
            Answers("apple-b-{date}.jsonl", "transactions", settings: ["trust": "backend?"]), orders("a", []),
            orders("b", ["order_id"]), grants("a", []), grants("b", ["credit_id", "order_id"]))
    }

    /// Credits name the row's number, not the order's.
    @Test func theIdThatCreditsName() throws {
        try samples.write(
            shop.rows(
                "id,order_no,uid,role_id,sku,price,currency,pay_status,deliver_status,trade_no,created_at,pay_time"
            ) {
                "\($0.number + 31),\($0.order),\($0.account),r\($0.account),\($0.product),\($0.major),CNY,paid,done,\($0.transaction),\($0.paid - 40_000),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        try samples.write(
            shop.rows("delivery_id,order_id,uid,sku,num,deliver_time") {
                "\($0.number + 1),\($0.number + 31),\($0.account),\($0.product),\($0.quantity * 60),\($0.paid + 9000)"
            }, to: "delivery-2026-07-13.csv")
        try check(
            Answers(
                "orders-{date}.csv", "orders",
                [
                    "order_id": "id", "account_id": "uid?", "product_id": "sku", "amount": "price",
                    "currency": "currency",
                    "status": "pay_status", "transaction_id": "trade_no", "created_at": "created_at",
                ]),
            Answers(
                "delivery-{date}.csv", "credits",
                [
                    "credit_id": "delivery_id", "order_id": "order_id", "account_id": "uid", "product_id": "sku",
                    "quantity": "?",  // 60 coins are one piece.
                    "credited_at": "deliver_time",
                ]))
    }

    /// A service's credits name no order of this table; those of another service, which counts from one, seem to.
    @Test func numbersOfAnotherServicesOrders() throws {
        try samples.write(
            shop.rows("id,order_no,uid,sku,price,currency,pay_status,trade_no,created_at") {
                "\($0.number + 1),\($0.order),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.transaction),\($0.paid - 40_000)"
            }, to: "orders-2026-07-13.csv")
        try samples.write(
            shop.rows("delivery_id,order_id,uid,sku,deliver_time") {
                "\($0.number + 1),\($0.number + 1),9\($0.account),\($0.product),\($0.paid + 9000)"
            }, to: "delivery-2026-07-13.csv")
        #expect(try samples.proposal().text.contains(#"order_id: "DECIDE order_no""#))
    }

    /// Sharded orders in yuan with a JSON column, by open ids; a wallet that knows players; a second service that counts from one, in fen.
    @Test func twoServicesOfOneShop() throws {
        try samples.write(
            shop.rows("订单号,用户,商品编号,实付金额,支付渠道,订单状态,苹果交易号,下单时间,更新时间,是否删除,扩展,区服") {
                let time = $0.clock("yyyy-MM-dd HH:mm:ss", "Asia/Shanghai")
                return
                    "BW20260713\($0.number + 101),oX\($0.account)f,\($0.product),\($0.major),apple,\(states($0)),\($0.transaction),\(time),\(time),\($0.number / 9),\"{\"\"ver\"\": \"\"3.2\"\", \"\"appToken\"\": \"\"\($0.token)\"\"}\",华东\($0.number % 2)区"
            } + [
                "BW20260713001,oX1f,com.shop.coins1,30.00,wechat,已发货,4200001,2026-07-13 09:00:00,2026-07-13 09:00:00,0,{},华东0区"
            ],
            to: "orders-2026-07-13.csv")
        try samples.write(
            shop.rows("id,player_id,biz_type,coins,order_no,create_ms") {
                "\($0.number + 1),6\($0.account),recharge,60,BW20260713\($0.number + 101),\($0.paid + 9000)"
            } + ["49,6711,recharge,300,BW20260713001,1783900900000"]
                + shop.rows { "\($0.number + 51),6\($0.account),consume,-20,,\($0.paid + 90_000)" },
            to: "credits-2026-07-13.csv")
        let others = Purchase.all(20, first: 100, seed: 1)
        try samples.write(others.records, to: "notify-2026-07-13.jsonl")
        try samples.write(
            others.rows("id\tplayer_id\tgoods\tamount_fen\tstatus\ttx_id\tcreated_ms\tupdated_ms\tdeleted_at") {
                "\($0.number - 99)\t\($0.account)\t\($0.product)\t\($0.price)\t\($0.number % 3)\t\($0.transaction)\t\($0.paid - 40_000)\t\($0.paid)\tNULL"
            }, to: "recharge-2026-07-13.tsv")
        try samples.write(
            others.rows("id\tpay_ref\tplayer_id\tgoods\tnum\tdeliver_time") {
                "\(($0.number + 7) % 20 + 1)\t\($0.number - 99)\t\($0.account)\t\($0.product)\t\($0.quantity)\t\($0.clock("yyyy-MM-dd HH:mm:ss", "Asia/Shanghai", after: 9))"
            }, to: "delivery-2026-07-13.tsv")
        try check(
            Answers("notify-{date}.jsonl", "transactions", settings: ["trust": "backend?"]),
            Answers(
                "orders-{date}.csv", "orders",
                [
                    "order_id": "订单号", "account_id": "用户", "product_id": "商品编号", "amount": "实付金额", "currency": "=CNY",
                    "status": "订单状态", "transaction_id": "苹果交易号", "created_at": "下单时间", "updated_at": "更新时间",
                ],
                words: ["status": ["PAY_SUCCESS": "paid", "待发货": "paid", "已发货": "credited?", "待支付": "created"]],
                settings: ["where": "支付渠道:apple", "timeZone": "Asia/Shanghai"]),
            Answers(
                "recharge-{date}.tsv", "orders",
                [
                    "order_id": "id", "account_id": "player_id", "product_id": "goods", "amount_minor": "amount_fen",
                    "currency": "=CNY", "status": "status", "transaction_id": "tx_id", "created_at": "created_ms",
                    "updated_at": "updated_ms",
                ], words: ["status": ["0": "created?", "1": "paid?", "2": "credited?"]]),
            Answers(
                "credits-{date}.csv", "credits",
                [
                    "credit_id": "id", "account_id": "player_id?", "order_id": "order_no?", "kind": "biz_type",
                    "credited_at": "create_ms",
                ], words: ["kind": ["recharge": "credit"]], settings: ["whereNot": "biz_type:consume?"]),
            Answers(
                "delivery-{date}.tsv", "credits",
                [
                    "credit_id": "id?", "account_id": "player_id", "order_id": "pay_ref", "product_id": "goods",
                    "quantity": "num", "credited_at": "deliver_time",
                ], settings: ["timeZone": "Asia/Shanghai"], prefixes: ["credit_id"]))
        // The wallet has goods that were paid by WeChat.
        #expect(try samples.proposal().text.contains("; 1 are orders that `where` leaves out"))
    }
}
