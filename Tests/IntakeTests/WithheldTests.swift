import Domain
import Foundation
import Intake
import Testing

/// A rejected row is shown as read; of a receipt, data and device are left out.
@Suite struct WithheldTests {
    private static let secrets = ["TUlJU0VDUkVU", "DEVICE-1"]

    private func rejected(_ text: String, _ name: String) throws -> [String] {
        let read = try contents(Array(text.utf8), feed(.receipts), name: name)
        let rows = read.rejects.map { String(decoding: $0.row, as: UTF8.self) }
        for secret in Self.secrets { #expect(rows.allSatisfy { !$0.contains(secret) }, "\(rows)") }
        return rows
    }

    @Test func theirPlacesAreMarked() throws {
        let head = "received_at,account_id,receipt_data,device_id,note\n"
        #expect(
            try rejected(head + "never,a,TUlJU0VDUkVU,DEVICE-1,x\nnever,a,\"TUlJU0VDUkVU\",,DEVICE\n", "r.csv")
                == ["never,a,(withheld),(withheld),x", "never,a,\"(withheld)\",,DEVICE"])
        #expect(
            try rejected(
                #"{"device_id":"DEVICE-1","received_at":"never","account_id":"a","receipt_data":"TUlJU0VDUkVU"}"#
                    + "\n",
                "r.jsonl")
                == [#"{"device_id":"(withheld)","received_at":"never","account_id":"a","receipt_data":"(withheld)"}"#])
    }

    /// What it may be about is found all the same.
    @Test func aRowThatIsHiddenOrTooLongKeepsItsIDs() throws {
        let head = "received_at,account_id,order_id,transaction_id,product_id,receipt_data,device_id\n"
        let hidden = try rejected(head + "never,a,o,t,p,TUlJU0VDUkVU,\"DEVICE-1\"\"\"\n", "r.csv")
        #expect(hidden[0].hasPrefix("(not shown: ") && hidden[0].hasSuffix(",o,t,a"))
        let long = try rejected(head + "never,,o,t,\(String(repeating: "p", count: 5000)),,\n", "r.csv")
        let nested = try rejected(
            #"{"device_id":{"a":"DEVICE-1"},"received_at":"never","account_id":"a","order_id":"o","transaction_id":"t"}"#
                + "\n{\n",
            "r.jsonl")
        #expect(nested[0].hasPrefix("(not shown: ") && nested[0].hasSuffix(",o,t,a"))
        #expect(nested[1].hasSuffix(")"), "the ids of the row before are not this one's")
        #expect(long[0].utf8.count == 4095 && long[0].hasPrefix("never,,o,t,ppp") && long[0].hasSuffix("p,o,t"))
    }

    @Test(arguments: [
        (
            "r.jsonl",
            #"{"device_id":"DEVICE-1","received_at":"never","account_id":"a","receipt_data":"TUlJU0VDUkVU\/"}"#
        ),
        ("r.jsonl", #"{"device_id":"DEVICE-1","receipt_data":"TUlJU0VDUkVU","account_id""#),
        ("r.jsonl", #"{"device_id":"DEVICE-1","device_id":"DEVICE-1","receipt_data":"TUlJU0VDUkVU"}"#),
        ("r.csv", "received_at,account_id,receipt_data,device_id\nTUlJU0VDUkVU,DEVICE-1,b"),
        ("r.csv", "received_at,account_id,receipt_data,device_id\n2025-11-01T00:00:00Z,\u{0},TUlJU0VDUkVU,DEVICE-1"),
    ])
    func aRowWhereNobodyKnowsTheirPlacesIsNotShown(_ name: String, _ text: String) throws {
        #expect(try rejected(text + "\n", name).allSatisfy { $0.hasPrefix("(not shown: ") })
    }
}
