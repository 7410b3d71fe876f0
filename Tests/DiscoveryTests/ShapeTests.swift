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

    /// A wallet's movements: what was spent is no credit.
    @Test func walletMovements() throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,currency,status,transaction_id,created_at") {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.transaction),\($0.clock("yyyy-MM-dd HH:mm:ssXXX", "UTC"))"
            }, to: "orders-2026-07-13.csv")
        var rows = shop.rows("movement_id,user_id,biz_type,change,balance,order_no,created_at") {
            "\($0.number + 500),\($0.account),recharge,60,160,\($0.order),\($0.paid + 9000)"
        }
        rows += shop.rows { "\($0.number + 700),\($0.account),consume,-20,140,,\($0.paid + 90_000)" }
        rows += shop.prefix(2).map {
            "\($0.number + 900),\($0.account),clawback,-60,80,\($0.order),\($0.paid + 900_000)"
        }
        try samples.write(rows, to: "wallet_log_2026-07-13.csv")
        try check(
            Answers(
                "orders-{date}.csv", "orders",
                [
                    "order_id": "order_id", "account_id": "user_id", "product_id": "sku", "amount": "amount",
                    "currency": "currency",
                    "status": "status", "transaction_id": "transaction_id", "created_at": "created_at",
                ]),
            Answers(
                "wallet_log_{date}.csv", "credits",
                [
                    "credit_id": "movement_id", "account_id": "user_id", "order_id": "order_no",
                    "credited_at": "created_at",
                    "kind": "biz_type",
                ], words: ["kind": ["recharge": "credit", "clawback": "reversal"]],
                settings: ["where": "biz_type:clawback|recharge?"]))
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
            ["充值订单日报 2026-07-13", "", "订单编号,玩家ID,商品,实付金额,货币,支付状态,交易号,创建时间"]
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
                settings: ["skipLines": "2", "footer": "订单编号:合计", "timeZone": "Asia/Shanghai"]))
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

    /// A table that no record of Apple's speaks of: only names and shapes are left.
    @Test func nothingToCompareWith() throws {
        let others = Purchase.all(8, first: 400, seed: 4)
        try samples.write(
            others.rows("id,uid,goods_id,money,state,time,uuid,serial_no,channel") {
                "\($0.order),\($0.account),\($0.number % 4 + 101),\($0.price),\($0.number % 3 == 0 ? "SUCCESS" : "CLOSED"),\($0.clock("yyyy-MM-dd HH:mm:ss", "Asia/Shanghai")),\($0.token),\($0.transaction),\($0.number % 2)"
            }, to: "t_pay.csv")
        try check(
            Answers(
                "t_pay.csv", "orders?",
                [
                    "order_id": "id", "account_id": "uid", "product_id": "goods_id?", "amount_minor": "?",
                    "amount": "?",
                    "currency": "=CNY?", "status": "state", "created_at": "time", "app_account_token": "uuid?",
                    "transaction_id": "serial_no?",
                ], words: ["status": ["SUCCESS": "paid?", "CLOSED": "cancelled?"]],
                settings: ["timeZone": "Asia/Shanghai?", "where": "channel:1?"]))
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

    /// A file that bears the day on which it was written; and the first transaction of a subscription beside the order.
    @Test func theDayOfTheExport() throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,currency,status,original_transaction_id,created_at") {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.transaction),\($0.clock("yyyy-MM-dd HH:mm:ssXXX", "Asia/Tokyo", after: 7200))"
            }, to: "orders-2026-07-14.csv")
        try check(
            Answers(
                "orders-{date}.csv", "orders",
                [
                    "order_id": "order_id", "account_id": "user_id", "product_id": "sku", "amount": "amount",
                    "currency": "currency",
                    "status": "status", "created_at": "created_at",
                ]))
        #expect(try samples.proposal().text.contains(#"path: "DECIDE orders-{date}.csv""#))
    }

    /// Both stand behind `//`, because a person decides; without it the configuration is whole.
    @Test func labelsAndCommandsAreProposed() throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,currency,status,transaction_id,created_at,client_ver,区服,os,phone_os")
            {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,paid,\($0.transaction),\($0.paid),1.\($0.number % 3),S\($0.number % 4),ios,\($0.number)"
            }, to: "orders-2026-07-13.csv")
        try samples.write(
            shop.rows("grant_id\torder_id\tuser_id\tsku\tgranted_at\tchannel") {
                "\($0.number)\t\($0.order)\t\($0.account)\t\($0.product)\t\($0.clock("yyyy-MM-dd HH:mm:ss", "Asia/Shanghai"))\t\($0.number % 2)"
            }, to: "grants-2026-07-13.tsv")
        let text = try samples.proposal().text
        #expect(text.contains(#"// not used: "os", "phone_os""#))  // one value, and too many
        let root = try JSON5Reader.read(
            text.replacing("// labels", with: "labels").replacing("// command", with: "command"))
        let feeds = try #require(root["feeds"]?.elements)
        #expect(feeds.map { $0["labels"]?.plain } == [nil, "channel:channel", "server:区服,version:client_ver"])
        #expect(
            feeds.map { $0["command"]?.elements.last?.plain } == [
                "transactions.sql", "DATABASE",
                "SELECT * FROM TABLE WHERE \"created_at\" >= extract(epoch FROM timestamptz '{since}') * 1000",
            ])
        #expect(
            feeds[1]["command"]?.elements[5].plain
                == "SELECT 'grant_id', 'order_id', 'user_id', 'sku', 'granted_at', 'channel' UNION ALL SELECT `grant_id`, "
                + "`order_id`, `user_id`, `sku`, `granted_at`, `channel` FROM TABLE WHERE `granted_at` >= LEFT('{since}', 19)"
        )
    }

    /// Deleted credits look given, and a text that the export lost may stand for several.
    @Test(arguments: ["deleted_at", "已删除"]) func deletedAndLost(_ name: String) throws {
        func text(_ mark: (Purchase) -> String) throws -> String {
            try samples.write(
                shop.rows("flow_id,order_id,user_id,sku,kind,created_at,\(name)") {
                    "F\($0.number),\($0.order),\($0.account),\($0.product),\($0.number % 2 == 0 ? "??" : "RECHARGE"),\($0.paid),\(mark($0))"
                }, to: "wallet-2026-07-13.csv")
            return try samples.proposal().text
        }
        let none = try text { _ in "" }
        #expect(
            none.contains(
                "// 0 of 12 rows are deleted, by \"\(name)\": export them too, and each deletion as a second row")
                && none.contains(#"credit_id: "flow_id""#))
        #expect(none.contains("// \"??\": the text was lost in the export"))
        let some = try text { $0.number == 3 ? "1" : "0" }
        #expect(some.contains(#"credit_id: "DECIDE flow_id""#) && some.contains("1 of 12 rows are deleted"))
    }

    /// Where rows say what was given, a state that says so as well hides each row that is missing.
    @Test(arguments: ["credited", "已发货", "已完成"]) func aStateThatRowsConfirmIsLeftToAPerson(_ given: String) throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,currency,status,transaction_id,created_at") {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,\($0.number == 0 ? "paid" : given),\($0.transaction),\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        let orders = { (state: String) in
            Answers(
                "orders-{date}.csv", "orders",
                [
                    "order_id": "order_id", "account_id": "user_id", "product_id": "sku", "amount": "amount",
                    "currency": "currency", "status": "status", "transaction_id": "transaction_id",
                    "created_at": "created_at",
                ], words: given == "credited" && state == given ? [:] : ["status": [given: state]])
        }
        try check(orders(given == "已完成" ? "credited?" : "credited"))
        func credits(_ count: Int) throws {
            try samples.write(
                shop.prefix(count).map {
                    "G\($0.number),\($0.order),\($0.account),\($0.paid + 9000)"
                }.reduce(into: ["grant_id,order_id,user_id,granted_at"]) { $0.append($1) },
                to: "grants-2026-07-13.csv")
        }
        // Of 11 orders, the desk gave three; that says nothing of the others.
        try credits(4)
        #expect(try !samples.proposal().text.contains("DECIDE paid"))
        try credits(11)
        let text = try samples.proposal().text
        let mark = given == "已完成" ? "DECIDE" : "DECIDE paid"
        #expect(
            text.contains(#""\#(given)": "\#(mark)""#)
                && text.contains("11 rows, 11 in Apple's records, 10 with a credit: "))
    }

    /// Goods paid through another channel look unpaid, whatever the column is called.
    @Test(arguments: ["付款渠道", "zahlweg"]) func theChannelThatApplesRecordsShow(_ name: String) throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,amount,currency,status,deliver,transaction_id,created_at,\(name)") {
                "\($0.order),\($0.account),\($0.product),\($0.major),CNY,\($0.number == 0 ? "created" : "paid"),\($0.number % 2),\($0.transaction),\($0.paid),苹果内购"
            } + (1...3).map { "9\($0),7,com.shop.coins1,30.00,CNY,paid,1,W\($0),1783900900000,微信支付" },
            to: "orders-2026-07-13.csv")
        let mark = name == "zahlweg" ? "DECIDE " : ""
        #expect(try samples.proposal().text.contains(#"where: { "\#(name)": "\#(mark)苹果内购" },"#))
    }

    /// A column that never changes is no state, and an amount is none either.
    @Test func aStateIsNeitherAConstantNorAnAmount() throws {
        try samples.write(
            shop.rows("order_id,user_id,sku,fen,币别,transaction_id,created_at,how_far") {
                "\($0.order),\($0.account),\($0.product),\($0.price),CNY,\($0.transaction),\($0.paid),\(["done", "open"][$0.number % 2])"
            }, to: "orders-2026-07-13.csv")
        #expect(try samples.proposal().text.contains(#"status: { from: "DECIDE how_far""#))
        try samples.write(
            shop.rows {
                #"{"Item":{"order_id":{"S":"\#($0.order)"},"user_id":{"S":"\#($0.account)"},"sku":{"S":"\#($0.product)"},"amount":{"N":"\#($0.major)"},"#
                    + #""status":{"S":"paid"},"transaction_id":{"S":"\#($0.transaction)"},"created_at":{"N":"\#($0.paid)"}}}"#
            }, to: "orders-2026-07-13.jsonl")
        #expect(try samples.proposal().text.contains(#"status: "Item.status.S""#))
    }

    /// Nothing to compare with, and a name that is known only for its unit: 600 fen are not 600 yuan.
    @Test func fenThatNoPriceConfirms() throws {
        try samples.write(
            Purchase.all(8, first: 400, seed: 4).rows("order_id,user_id,sku,fee_fen,status,created_at") {
                "\($0.order),\($0.account),\($0.product)x,\($0.price),paid,\($0.paid)"
            }, to: "orders-2026-07-13.csv")
        #expect(try samples.proposal().text.contains(#"amount_minor: "DECIDE""#))
    }

    /// Apple's records where `init` cannot read them as such: in a column of a table, and over several lines.
    @Test func applesRecordsInAnotherShape() throws {
        try samples.write(
            shop.rows("id,got_at,body") { "\($0.number),\($0.paid),\"\($0.record.replacing("\"", with: "\"\""))\"" },
            to: "notify-2026-07-13.csv")
        try samples.write(shop.map { $0.record.replacing(",", with: ",\n  ") }, to: "pretty-2026-07-13.jsonl")
        let text = try samples.proposal().text
        #expect(text.contains("\"body\" may have Apple's records: export this column alone"))
        #expect(text.contains("a record over several lines belongs into a file named .json"))
    }

    /// A workbook, and a dump: neither is a feed.
    @Test func whatIsNoTable() throws {
        try samples.write([0x50, 0x4B, 0x03, 0x04, 1, 2, 3], to: "orders.xlsx")
        try samples.write(["-- MySQL dump 10.13", "INSERT INTO `orders` VALUES (1);"], to: "dump.sql")
        let text = try samples.proposal().text
        #expect(text.contains(#"kind: "DECIDE", path: "orders.xlsx""#) && text.contains("ZIP archive"))
        #expect(text.contains(#"kind: "DECIDE", path: "dump.sql""#) && text.contains("database dump"))
        #expect(text.contains("remove or rename this configuration, and run init again"))
    }
}
