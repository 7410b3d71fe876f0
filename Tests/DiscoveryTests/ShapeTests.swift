import Foundation
import Intake
import Testing

/// Exports of shops, each with the right answers, which were written down first.
@Suite struct ShapeTests {
    let samples = Samples()
    let shop = Purchase.all()
    private static let apple = Answers("apple-{date}.jsonl", "transactions", settings: ["trust": "backend?"])

    init() throws { try samples.write(shop.records, to: "apple-2026-07-13.jsonl") }

    func check(_ answers: Answers...) throws {
        let faults = try samples.faults([Self.apple] + answers)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    let states: (Purchase) -> String = { ["PAY_SUCCESS", "待发货", "已发货", "待支付"][$0.number % 4] }

    @Test func chineseColumnsYuanAndLocalTime() throws {
        try samples.write(
            shop.rows("订单号,用户ID,商品ID,数量,金额(元),币种,订单状态,苹果交易号,下单时间,备注") {
                "\($0.order),\($0.account),\($0.product),\($0.quantity),\($0.major),人民币,\(states($0)),\($0.transaction),\($0.clock("yyyy-MM-dd HH:mm:ss", "Asia/Shanghai")),x"
            }, to: "订单-20260713.csv")
        try check(
            Answers(
                "订单-{date:yyyyMMdd}.csv", "orders",
                [
                    "order_id": "订单号", "account_id": "用户ID", "product_id": "商品ID", "quantity": "数量", "amount": "金额(元)",
                    "currency": "币种", "status": "订单状态", "transaction_id": "苹果交易号", "created_at": "下单时间",
                ],
                words: [
                    "currency": ["人民币": "CNY"],
                    "status": ["PAY_SUCCESS": "paid", "待发货": "paid", "已发货": "credited", "待支付": "created"],
                ], settings: ["timeZone": "Asia/Shanghai"]))
        let since = #"\"下单时间\" >= timestamptz '{since}' AT TIME ZONE 'Asia/Shanghai'"#
        #expect(try samples.proposal().text.contains(since))
    }

    @Test func fenEpochMillisecondsAndJSON() throws {
        try samples.write(
            shop.rows {
                """
                {"orderNo":"\($0.order)","uid":\($0.account),"goodsId":"\($0.product)","totalFee":\($0.price),"payStatus":\($0.number % 3),\
                "appleTradeNo":"\($0.transaction)","createTime":\($0.paid - 40_000),"deviceId":"\($0.token)"}
                """
            }, to: "orders-2026-07-13.jsonl")
        try check(
            Answers(
                "orders-{date}.jsonl", "orders",
                [
                    "order_id": "orderNo", "account_id": "uid", "product_id": "goodsId", "amount_minor": "totalFee",
                    "currency": "=CNY", "status": "payStatus", "transaction_id": "appleTradeNo",
                    "created_at": "createTime",
                    "app_account_token": "deviceId",  // The values are Apple's tokens, whatever the column is called.
                ], words: ["status": ["0": "created?", "1": "paid?", "2": "credited?"]]))
    }

    @Test func changesOfDebezium() throws {
        try samples.write(
            shop.rows {
                """
                {"before":null,"op":"c","ts_ms":\($0.paid),"source":{"table":"orders"},"after":{"id":"\($0.order)","user_id":"\($0.account)","sku":"\($0.product)",\
                "amount_cents":\($0.price),"currency":"CNY","state":"paid","apple_tx":"\($0.transaction)","created_at":\($0.paid - 40_000)}}
                """
            } + [
                #"{"before":{"id":"90001000"},"op":"d","ts_ms":1783900800000,"source":{"table":"orders"},"after":null}"#
            ],
            to: "cdc-orders-2026-07-13.jsonl")
        try check(
            Answers(
                "cdc-orders-{date}.jsonl", "orders",
                [
                    "order_id": "after.id", "account_id": "after.user_id", "product_id": "after.sku",
                    "amount_minor": "after.amount_cents", "currency": "after.currency", "status": "after.state",
                    "transaction_id": "after.apple_tx", "created_at": "after.created_at",
                ], settings: ["deletes": "op:d"]))
    }

    @Test func decimalCommasSemicolonsAndGermanTimes() throws {
        try samples.write(
            shop.rows("Order No;Customer;SKU;Amount;Currency;Status;Apple Transaction ID;Created at") {
                "\($0.order);\($0.account);\($0.product);\($0.major.replacingOccurrences(of: ".", with: ","));CNY;paid;\($0.transaction);\($0.clock("dd.MM.yyyy HH:mm", "Europe/Berlin"))"
            }, to: "orders-2026-07-13.csv")
        try check(
            Answers(
                "orders-{date}.csv", "orders",
                [
                    "order_id": "Order No", "account_id": "Customer", "product_id": "SKU", "amount": "Amount",
                    "currency": "Currency",
                    "status": "Status", "transaction_id": "Apple Transaction ID", "created_at": "Created at",
                ],
                settings: [
                    "delimiter": ";", "decimal": ",", "timeFormat": "d.M.yyyy H:mm", "timeZone": "Europe/Berlin?",
                ]))
    }

    /// The 12th of July could be the 7th of December, were it not for Apple's times.
    @Test(arguments: [(0, "M/d/yyyy h:mm a"), (-10 * 86_400, "M/d/yyyy h:mm a?")] as [(Int64, String)])
    func americanTimesAndDollarSigns(_ shift: Int64, _ format: String) throws {
        try samples.write(
            shop.rows("order_number,customer_id,sku,total,currency,order_status,store_transaction_id,created_at") {
                "\($0.order),\($0.account),\($0.product),¥\($0.major),CNY,paid,\($0.transaction),\($0.clock("M/d/yyyy h:mm a", "America/New_York", after: shift - 40))"
            }, to: "orders-2026-07-13.csv")
        try check(
            Answers(
                "orders-{date}.csv", "orders",
                [
                    "order_id": "order_number", "account_id": "customer_id", "product_id": "sku", "amount": "total",
                    "currency": "currency", "status": "order_status", "transaction_id": "store_transaction_id",
                    "created_at": "created_at",
                ], settings: ["timeFormat": format, "timeZone": "America/New_York?"]))
    }

    @Test func namesOfTypesBelowTheHeader() throws {
        try samples.write(
            [
                "order_id\tuser_id\tproduct\tprice\tcurrency\tstatus\ttxn_id\tctime",
                "String\tUInt64\tString\tDecimal(18, 2)\tString\tString\tString\tDateTime",
            ]
                + shop.rows {
                    "\($0.order)\t\($0.account)\t\($0.product)\t\($0.major)\tCNY\tpaid\t\($0.transaction)\t\($0.clock("yyyy-MM-dd HH:mm:ss", "UTC"))"
                }, to: "orders-2026-07-13.tsv")
        try check(
            Answers(
                "orders-{date}.tsv", "orders",
                [
                    "order_id": "order_id", "account_id": "user_id", "product_id": "product", "amount": "price",
                    "currency": "currency", "status": "status", "transaction_id": "txn_id", "created_at": "ctime",
                ], settings: ["skipAfterHeader": "1", "timeZone": "UTC"]))
    }

    @Test func titleAndFooter() throws {
        try samples.write(
            ["", "充值订单日报 2026-07-13", "", "订单编号,玩家ID,商品,实付金额,货币,支付状态,交易号,创建时间"]
                + shop.rows {
                    "\($0.order),\($0.account),\($0.product),\($0.major),CNY,已支付,\($0.transaction),\($0.clock("yyyy/M/d H:mm", "Asia/Shanghai"))"
                } + ["合计,,,336.00,,,,"], to: "recharge-20260713.csv")
        try check(
            Answers(
                "recharge-{date:yyyyMMdd}.csv", "orders",
                [
                    "order_id": "订单编号", "account_id": "玩家ID", "product_id": "商品", "amount": "实付金额", "currency": "货币",
                    "status": "支付状态", "transaction_id": "交易号", "created_at": "创建时间",
                ], words: ["status": ["已支付": "paid"]],
                settings: ["skipLines": "3", "footer": "订单编号:合计", "timeZone": "Asia/Shanghai"]))
    }

    @Test func pinyinAndOrderNumbersLikeApplesIds() throws {
        try samples.write(
            shop.rows("dingdanhao|yonghu_id|shangpin_id|jine_fen|zhuangtai|liushuihao|xiadan_shijian|gengxin_shijian") {
                "202607130000\($0.number + 10000)|\($0.account)|\($0.product)|\($0.price)|yizhifu|\($0.transaction)|\($0.clock("yyyyMMddHHmmss", "Asia/Shanghai"))|\($0.clock("yyyyMMddHHmmss", "Asia/Shanghai", after: 5))"
            }, to: "dingdan_20260713.txt")
        try check(
            Answers(
                "dingdan_{date:yyyyMMdd}.txt", "orders",
                [
                    "order_id": "dingdanhao", "account_id": "yonghu_id", "product_id": "shangpin_id",
                    "amount_minor": "jine_fen",
                    "currency": "=CNY", "status": "zhuangtai", "transaction_id": "liushuihao",
                    "created_at": "xiadan_shijian",
                    "updated_at": "gengxin_shijian",
                ], words: ["status": ["yizhifu": "paid"]],
                settings: ["delimiter": "|", "timeFormat": "yyyyMMddHHmmss", "timeZone": "Asia/Shanghai"]))
    }

    /// A price for one piece, and what was paid for all.
    @Test func unitPriceAndTotal() throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,qty,price,total_price,currency,state,apple_tx,created_at") {
                "\($0.order),\($0.account),\($0.product),\($0.quantity),\($0.price / $0.quantity),\($0.price),CNY,paid,\($0.transaction),\($0.paid - 40_000)"
            }, to: "orders-2026-07-13.csv")
        try check(
            Answers(
                "orders-{date}.csv", "orders",
                [
                    "order_id": "order_id", "account_id": "user_id", "product_id": "sku", "quantity": "qty",
                    "amount_minor": "total_price", "currency": "currency", "status": "state",
                    "transaction_id": "apple_tx",
                    "created_at": "created_at",
                ]))
    }

    /// Winter: UTC, or London, which has the same time then.
    @Test func londonInWinter() throws {
        let winter = shop.map { purchase in
            "\(purchase.order),\(purchase.account),\(purchase.product),\(purchase.major),CNY,paid,\(Int(purchase.transaction)! + 1_000_000_007),\(purchase.clock("yyyy-MM-dd HH:mm:ss", "UTC", after: -180 * 86_400 - 40))"
        }
        try samples.write(
            shop.map { purchase in
                purchase.record.replacingOccurrences(
                    of: purchase.transaction, with: String(Int(purchase.transaction)! + 1_000_000_007)
                )
                .replacingOccurrences(
                    of: "\"purchaseDate\":\(purchase.paid)",
                    with: "\"purchaseDate\":\(purchase.paid - 180 * 86_400_000)")
            }, to: "apple-2026-01-14.jsonl")
        try samples.write(
            ["order_id,user_id,sku,amount,currency,status,transaction_id,created_at"] + winter,
            to: "orders-2026-01-14.csv")
        try check(
            Answers(
                "orders-{date}.csv", "orders",
                [
                    "order_id": "order_id", "account_id": "user_id", "product_id": "sku", "amount": "amount",
                    "currency": "currency",
                    "status": "status", "transaction_id": "transaction_id", "created_at": "created_at",
                ], settings: ["timeZone": "UTC?"]))
        #expect(try samples.proposal().text.contains(#"timeZone: "DECIDE UTC""#))
    }

    @Test func receiptsAndProductsInFen() throws {
        try samples.write(
            shop.rows("用户,商户订单号,交易号,凭证,校验状态,上传时间") {
                "\($0.account),\($0.order),\($0.transaction),MIIT\(String(repeating: "Ab0/", count: 30)),\($0.number % 3 == 0 ? 21005 : 0),\($0.clock("yyyy-MM-dd HH:mm:ss", "Asia/Shanghai", after: 3))"
            }, to: "凭证_20260713.csv")
        try samples.write(
            ["goods_id,goods_name,goods_type,price"]
                + (0..<4).map { "com.shop.coins\($0),\([60, 300, 680, 120][$0]) 金币,消耗型,\([600, 3000, 6800, 1200][$0])" },
            to: "goods.csv")
        try check(
            Answers(
                "凭证_{date:yyyyMMdd}.csv", "receipts",
                [
                    "account_id": "用户", "order_id": "商户订单号", "transaction_id": "交易号", "receipt_data": "凭证",
                    "verify_status": "校验状态", "received_at": "上传时间",
                ], settings: ["timeZone": "Asia/Shanghai"]),
            Answers(
                "goods.csv", "products",
                [
                    "product_id": "goods_id", "name": "goods_name", "type": "goods_type", "amount_minor": "price",
                    "currency": "=CNY",
                ],
                words: ["type": ["消耗型": "consumable"]]))
    }

    /// Gzip, a byte order mark, `sep=`, and quoted texts with line ends.
    @Test func anExportOfExcel() throws {
        try samples.write(
            [
                "\u{FEFF}sep=;",
                "\"order_id\";\"user_id\";\"product_id\";\"note\";\"amount\";\"currency\";\"status\";\"transaction_id\";\"created_at\"",
            ]
                + shop.rows {
                    "\"\($0.order)\";\"\($0.account)\";\"\($0.product)\";\"a; \"\"b\"\"\nc\";\"\($0.major)\";\"CNY\";\"paid\";\"\($0.transaction)\";\"\($0.clock("yyyy/M/d H:mm", "Asia/Tokyo"))\""
                }, to: "orders 2026-07-13.csv")
        let gzip = try Process.run(
            URL(fileURLWithPath: "/bin/gzip"), arguments: [samples.path + "/orders 2026-07-13.csv"])
        gzip.waitUntilExit()
        try check(
            Answers(
                "orders {date}.csv.gz", "orders",
                [
                    "order_id": "order_id", "account_id": "user_id", "product_id": "product_id", "amount": "amount",
                    "currency": "currency", "status": "status", "transaction_id": "transaction_id",
                    "created_at": "created_at",
                ], settings: ["delimiter": ";", "timeZone": "Asia/Tokyo"]))
    }

    /// A column without a known name, with a word of the shop's among ISO codes.
    @Test func currenciesInTheShopsWords() throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,cur,status,transaction_id,created_at") {
                "\($0.order),\($0.account),\($0.product),\($0.major),\($0.number % 3 == 0 ? "USD" : "RMB"),paid,\($0.transaction),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        let text = try samples.proposal().text
        #expect(text.contains(#"currency: { from: "cur", words: {"#) && text.contains(#""RMB": "CNY","#))
    }

    @Test func exportsOfMongoDB() throws {
        try samples.write(
            shop.rows {
                #"{"_id":{"$oid":"66f0\#($0.order)000000000000"},"orderNo":"\#($0.order)","uid":{"$numberLong":"\#($0.account)"},"sku":"\#($0.product)","#
                    + #""price":{"$numberDecimal":"\#($0.major)"},"currency":"CNY","state":"paid","txn":"\#($0.transaction)","#
                    + #""createdAt":{"$date":"\#($0.clock("yyyy-MM-dd'T'HH:mm:ss'Z'", "UTC"))"},"updatedAt":{"$date":"\#($0.clock("yyyy-MM-dd'T'HH:mm:ss'Z'", "UTC"))"}}"#
            }, to: "orders-2026-07-13.jsonl")
        try check(
            Answers(
                "orders-{date}.jsonl", "orders",
                [
                    "order_id": "orderNo", "account_id": "uid.$numberLong", "product_id": "sku",
                    "amount": "price.$numberDecimal", "currency": "currency", "status": "state",
                    "transaction_id": "txn",
                    "created_at": "createdAt.$date", "updated_at": "updatedAt.$date",
                ]))
    }
}
