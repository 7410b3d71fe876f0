import Domain
import Intake
import Testing

/// The shop's own columns. No row and no file is refused because of them. See docs/spec/why.md#labels.
@Suite struct LabelTests {
    private func labelled(_ kind: FeedKind, _ labels: [String: ColumnSource]) -> Feed {
        var feed = feed(kind)
        feed.labels = labels
        return feed
    }

    private func text(_ labels: LabelSet) -> String {
        labels.values.map { $0.name + "=" + $0.text.text }.joined(separator: " ")
    }

    private let header = "order_id,account_id,product_id,status,created_at,client_ver,zone,ch\n"
    private let labels: [String: ColumnSource] = [
        "version": "client_ver", "zone": ColumnSource(), "channel": ColumnSource(name: "CH", words: ["1001": "huawei"]),
    ]

    @Test func theColumnsOfAFileAreRead() throws {
        let rows = [
            "1,a,p,paid,1763435045,3.2.1,007,1001", "2,a,p,paid,1763435045,,NULL,1002", "3,a,p,paid,1763435045,\\N,  ,",
            "4,a,p,paid,1763435045, 3 1 ,\"x,\"\"y\",null",
        ]
        let read = try contents(header + rows.joined(separator: "\n"), labelled(.orders, labels))
        #expect(
            read.evidence.orders.map { text($0.labels) } == [
                "channel=huawei version=3.2.1 zone=007", "channel=1002", "", #"version=3 1 zone=x,"y"#,
            ])
        #expect(read.ignoredColumns.isEmpty && read.emptyLabels.isEmpty && read.labelsCut == 0)
    }

    @Test func membersAndPathsAreReadAsTheyAreSpelled() throws {
        let orders = labelled(.orders, ["version": "app.ver", "zone": "zone", "live": "live", "who": "account_id"])
        let rows = [
            #"{"zone":1.50,"app":{"ver":"3.\u0032"},"live":true"#,
            #"{"zone":10000000000000000000000001,"app":{"ver":null}"#,
            #"{"app.ver":"x","zone":"a\u0000\nb\t""#,
        ].map { $0 + #","order_id":"1","account_id":"a","product_id":"p","status":"paid","created_at":1763435045}"# }
        let read = try contents(rows.joined(separator: "\n"), orders, name: "o.jsonl")
        #expect(
            read.evidence.orders.map { text($0.labels) } == [
                "live=true version=3.2 who=a zone=1.50", "who=a zone=10000000000000000000000001",
                "version=x who=a zone=a  b",
            ])
        #expect(read.ignoredColumns.isEmpty && read.rejects.isEmpty)
    }

    @Test(arguments: [
        #""v":{"a":1}"#, #""v":[1]"#, #""v":1,"V":2"#, #""x":"text""#, #""x":[1]"#, #""x":{"v":1,"v":2}"#,
        #""x":{"v":{"v":[[]]}},"X":7"#, #""x":null"#,
    ])
    func nothingAboutALabelRejectsARow(_ members: String) throws {
        let row =
            #"{"order_id":"1","account_id":"a","product_id":"p","status":"paid","created_at":1763435045,\#(members)}"#
        let read = try contents(row, labelled(.orders, ["v": "v", "w": "x.v"]), name: "o.jsonl")
        #expect(read.evidence.orders.count == 1 && read.rejects.isEmpty)
    }

    /// What a column would be refused for without labels, it is refused for with them.
    @Test(arguments: [
        #"{"order_id":{"no":"1"},"account_id":"a""#, #"{"order_id":"1","orderId":"2","account_id":"a""#,
        #"{"order_id":{"no":"1"},"orderId":"2","account_id":"a""#,
    ])
    func aLabelMakesNoRowRight(_ row: String) throws {
        let rest = #","product_id":"p","status":"paid","created_at":1763435045}"#
        for labels in [[:], ["v": "order_id.no"], ["v": "order_id"]] as [[String: ColumnSource]] {
            let read = try contents(row + rest, labelled(.orders, labels), name: "o.jsonl")
            #expect(read.evidence.orders.isEmpty && read.rejects.first?.column == "order_id")
        }
    }

    @Test func aColumnThatStandsTwiceIsReadOnce() throws {
        let text = "order_id,account_id,product_id,status,created_at,v,V\n1,a,p,paid,1763435045,x,y\n"
        let read = try contents(text, labelled(.orders, ["v": "v"]))
        #expect(self.text(read.evidence.orders[0].labels) == "v=x")
    }

    @Test func aLongValueIsCutBetweenCharactersAndCounted() throws {
        let values = [
            String(repeating: "x", count: 64), String(repeating: "x", count: 65),
            "x" + String(repeating: "掉", count: 30),
            String(repeating: "😀", count: 1 << 18),
        ]
        let rows = values.map { "1,a,p,paid,1763435045,\($0),1,\n" }.joined()
        let read = try contents(header + rows, labelled(.orders, labels), threads: 2, block: 1 << 12)
        #expect(
            read.evidence.orders.map { $0.labels["version"]?.text } == [
                values[0], values[0], "x" + String(repeating: "掉", count: 21), String(repeating: "😀", count: 16),
            ])
        #expect(read.labelsCut == 3)
    }

    @Test func labelsWithoutAnyValueAreNamed() throws {
        let row = "1,a,p,paid,1763435045,,1,\n"
        let read = try contents(
            header + row, labelled(.orders, ["version": "client_ver", "b": "no_such", "zone": "zone"]))
        #expect(read.emptyLabels == ["b", "version"] && read.evidence.orders.count == 1)
        let sample = FeedSample(read, feed: labelled(.orders, ["b": "no_such", "version": "client_ver"]), zone: .utc)
        #expect(sample.first?.hasSuffix("label_zone=1") == true)
        #expect(sample.doubts.first == "No row has a value of the label b. Is no_such the name of its column?")
    }

    @Test func everyKindOfEvidenceHasThem() throws {
        let labels: [String: ColumnSource] = ["zone": "z"]
        let credits = try contents(
            "credit_id,order_id,account_id,credited_at,z\nC,O,a,1763435045,7\n", labelled(.credits, labels))
        #expect(credits.evidence.credits.map(\.labels["zone"]) == ["7"])
        let receipts = try contents("received_at,account_id,z\n1763435045,a,7\n", labelled(.receipts, labels))
        #expect(receipts.evidence.receipts.map(\.labels["zone"]) == ["7"])
        // The key of a receipt without an id is made of its content.
        let other = try contents("received_at,account_id,z\n1763435045,a,8\n", labelled(.receipts, labels))
        #expect(other.evidence.receipts.map(\.content) == receipts.evidence.receipts.map(\.content))
        #expect(other.totals == receipts.totals)
    }

    @Test func aTransactionHasThoseOfItsRow() throws {
        var transactions = labelled(.transactions, ["zone": "ext.z"])
        transactions.trust = .backend
        let record = #""transactionId":"1","productId":"p","purchaseDate":1763435045000,"bundleId":"com.example.game""#
        let rows = [#"{\#(record),"ext":{"z":7}}"#, #"{\#(record),"ext":{"z":7,"z":8}}"#, #"{\#(record)}"#, "nonsense"]
        let read = try contents(rows.joined(separator: "\n"), transactions, name: "t.jsonl")
        #expect(read.evidence.transactions.map { $0.labels["zone"]?.text } == ["7", "7", nil])
        #expect(read.totals.rejected == 1 && read.ignoredColumns.isEmpty)
    }

    /// More different rows than a reader remembers, whatever the threads.
    @Test func tenThousandDifferentValuesAreKeptApart() throws {
        let rows = (1...10_000).map { "\($0),a,p,paid,1763435045,v\($0),\($0 % 7),c\n" }.joined()
        for threads in [1, 3] {
            let read = try contents(header + rows, labelled(.orders, labels), threads: threads, block: 1 << 14)
            let wrong = read.evidence.orders.filter { order in
                let number = Int(order.id.text)!
                return text(order.labels) != "channel=c version=v\(number) zone=\(number % 7)"
            }
            #expect(wrong.isEmpty && read.evidence.orders.count == 10_000)
        }
    }
}
