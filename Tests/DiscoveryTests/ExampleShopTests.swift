import Foundation
import Testing

/// The twelve exports of examples/shop. The right answers are those of its configuration, which a person wrote.
@Suite struct ExampleShopTests {
    private let samples = Samples()

    @Test func everyColumnIsRightOrMarked() throws {
        let shop =
            URL(fileURLWithPath: #filePath).pathComponents.dropLast(3).joined(separator: "/").dropFirst()
            + "/examples/shop"
        try FileManager.default.createDirectory(atPath: samples.path, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: String(shop) + "/exports", toPath: samples.path + "/exports")
        let flags = ["kind": ["t": "reversal", "f": "credit"], "origin": ["t": "desk", "f": "auto"]]
        let day = "exports/{date}/"
        let answers = [
            Answers(
                day + "pay_order_{date:yyyyMMdd}.csv", "orders",
                [
                    "order_id": "id", "account_id": "user_id", "product_id": "sku", "amount": "price",
                    "currency": "currency",
                    "transaction_id": "apple_tx_id", "created_at": "created_at", "status": "pay_status",
                ],
                words: ["status": ["1": "pending?", "3": "credited?"]],
                settings: ["where": "channel:apple", "timeZone": "Asia/Shanghai?"]),
            Answers(
                day + "weborders-{date}.jsonl", "orders",
                [
                    "order_id": "order.no", "account_id": "buyer.uid", "product_id": "item.sku",
                    "quantity": "item.count",
                    "amount_minor": "money.cents", "currency": "money.ccy", "transaction_id": "apple.transactionId",
                    "created_at": "times.created", "updated_at": "times.updated", "status": "order.state",
                ], words: ["status": ["DELIVERED": "credited?"]], prefixes: ["order_id"]),
            Answers(
                day + "grants_{date:yyyyMMdd}.tsv", "credits",
                [
                    "credit_id": "column1?", "order_id": "column2", "transaction_id": "column3",
                    "account_id": "column4",
                    "product_id": "column5", "quantity": "column6", "kind": "column7?", "origin": "column8?",
                    "credited_at": "column9?",
                ]),
            Answers(
                day + "webgrants_{date:yyyyMMdd}.csv", "credits",
                [
                    "credit_id": "grant_id", "order_id": "pay_order_id", "transaction_id": "apple_tx",
                    "account_id": "player_id",
                    "product_id": "item", "quantity": "qty", "kind": "is_reversal", "origin": "by_gm",
                    "credited_at": "granted_at",
                ], words: flags, prefixes: ["order_id"]),
            Answers(
                day + "补单-{date}.csv", "credits",
                [
                    "credit_id": "补单编号", "order_id": "订单号", "transaction_id": "苹果交易号", "account_id": "玩家ID",
                    "product_id": "商品", "quantity": "数量", "kind": "类型", "origin": "=desk", "credited_at": "时间",
                ], words: ["kind": ["补发": "credit"]], settings: ["encoding": "gbk", "timeZone": "Asia/Shanghai?"]),
            Answers(day + "apple/history-*.json", "transactions"),
            Answers(day + "notifications/*.json", "transactions"),
            Answers(day + "verifyReceipt/*.json", "transactions", settings: ["trust": "backend?"]),
            Answers(
                day + "client-report-{date}.jsonl", "receipts",
                [
                    "received_at": "ts", "account_id": "user.id", "device_id": "user.device.idfv",
                    "order_id": "payload.orderNo",
                    "transaction_id": "payload.transactionId", "product_id": "payload.productId",
                    "verify_status": "verify.status", "verify_retryable": "verify.retryable",
                ]),
            Answers(
                day + "receipts-{date}.csv", "receipts",
                [
                    "received_at": "createTime", "account_id": "uid", "order_id": "orderNo", "transaction_id": "tx",
                    "product_id": "sku", "receipt_data": "receiptBase64", "verify_status": "appleStatus",
                ], settings: ["timeZone": "Asia/Shanghai?"]),
            Answers(
                day + "storekit-{date}.log", "receipts",
                [
                    "received_at": "@timestamp", "account_id": "ctx.uid", "transaction_id": "ctx.tx",
                    "order_id": "ctx.order",
                ],
                settings: ["where": "msg:transaction finished?"]),
            Answers(
                "exports/商品表.txt", "products",
                ["product_id": "商品ID", "type": "类型", "name": "名称", "currency": "币种", "amount": "价格"],
                words: ["type": ["消耗型": "consumable"], "currency": ["人民币": "CNY"]], settings: ["encoding": "utf-16"]),
        ]
        let faults = try samples.faults(answers)
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }
}
