internal import Foundation

/// `summary.json`. See docs/spec/interfaces.md#summary-json.
func summaryJSON(_ report: NightReport) -> JSON {
    let figures = RegisterFigures(report.exceptions)
    // Present only if there is something; on most nights there is nothing.
    var further: [String: JSON] = [:]
    further["guarded"] = listed(report.guarded.map(json))
    if let found = report.toldBreak {
        further["goods_break"] = .object([
            "count": JSON(found.count), "oldest": .text(found.oldest.text), "end": .text(found.end.text),
            "row": found.place.map { .text($0) } ?? .null,
        ])
    }
    if let row = report.withholdingRow { further["withholding_row"] = .text(row) }
    further["accepted_gaps"] = listed(report.acceptedGaps.map(json))
    further["settings_changed"] = listed(report.settingsChanged.map(json))
    further["lost_columns"] = listed(
        report.lostColumns.map {
            .object(["feed": .text($0.feed), "columns": .list($0.columns.map { .text($0) })])
        })
    further["doubtful_prices"] = listed(
        report.toldPrices.map {
            .object(["product_id": .text($0.product), "listed": json([$0.listed]), "apple": json([$0.apples])])
        })
    let states = ExceptionState.allCases.map { ($0.rawValue, JSON(figures.count($0))) }
    return .object(
        [
            "business_date": .text(report.businessDate.text),
            "as_of": .text(report.asOf.text),
            "horizon": .text(report.horizon.text),
            "time_zone": .text(report.timeZone),
            "run": .number(report.run.rawValue),
            "version": .text(report.version),
            "chain": JSON(report.link),
            "verdicts": .list(report.verdicts.map(json)),
            "judged": JSON(report.judged),
            "flags": .object(report.flags.mapValues { JSON($0) }),
            "purchases": fulfilmentJSON(report.purchases),
            "conservation": .object(
                Dictionary(
                    uniqueKeysWithValues: report.conservation.map { ($0.key.rawValue, .object(json($0.value))) })),
            "exceptions": .object(Dictionary(uniqueKeysWithValues: states)),
            "files": .list(report.files.map(json)),
            "files_skipped": JSON(report.filesSkipped),
            "blind_spots": .list(report.coverageGaps.map(\.json)),
            "retry": json(report.retry, report.withheld),
            "retry_held_because": JSON(Texts.english.holdReason(of: report)),
            "work": WorkFigures(report).json,
            "self_test": .object(["detectors": JSON(report.detectors), "alive": JSON(report.detectorsAlive)]),
        ].merging(further) { $1 }.merging(lossMembers(report.loss)) { $1 })
}

func json(_ gap: GapDecision) -> JSON {
    .object([
        "feed": .text(gap.feed), "date": .text(gap.date.text), "by": .text(gap.by),
        "at": .text(Instant(milliseconds: gap.at).text), "note": .text(gap.note),
    ])
}

func json(_ change: SettingChange) -> JSON {
    .object(["setting": .text(change.setting), "old": JSON(change.old), "new": JSON(change.new)])
}

private func json(_ finding: GuardFinding) -> JSON {
    var members: [String: JSON] = [
        "kind": .text(finding.kind.rawValue), "feed": .text(finding.feed.rawValue), "path": JSON(finding.path),
        "date": .text(finding.date.text), "count": JSON(finding.count), "of": JSON(finding.total),
        "usual": .list(finding.usual.map { JSON($0) }),
    ]
    members["since"] = finding.since.map { .text($0.text) }
    let times = finding.times ?? []
    switch finding.detail {
    case .shift(let shift): members["minutes_late"] = JSON(Int(shift.halfHours) * 30)
    case .silence: (members["last"], members["usual_last"]) = (JSON(times.first), JSON(times.last))
    case .hours: (members["from"], members["until"]) = (JSON(times.first), JSON(times.last))
    case .product(let product): members["product_id"] = JSON(product)
    case .ends, nil: break
    }
    return .object(members)
}

/// `rejected.jsonl`: one line per rejected row.
func rejectedJSONLines(_ rejects: [RejectLine]) -> String {
    rejects.map { json($0).line + "\n" }.joined()
}

private func json(_ line: RejectLine) -> JSON {
    let reject = line.reject
    var members: [String: JSON] = [
        "source": .text(line.source), "line": JSON(reject.line), "column": JSON(reject.column),
        "reason": .text(reject.reason),
    ]
    if let text = String(validating: reject.row, as: UTF8.self) {
        members["row"] = .text(text)
    } else {
        members["row_base64"] = .text(Data(reject.row).base64EncodedString())
    }
    return .object(members)
}

/// A list that is left out where it is empty.
func listed(_ values: [JSON]) -> JSON? { values.isEmpty ? nil : .list(values) }

/// How the purchases of each date reached the customers.
func fulfilmentJSON(_ lines: [PurchaseLine]) -> JSON { .list(LostOrders(lines).days.map(json)) }

private func json(_ day: (date: BusinessDate, count: LostOrders.Count)) -> JSON {
    var members: [String: JSON] = [
        "date": .text(day.date.text), "purchases": JSON(day.count.purchases), "lost_orders": JSON(day.count.lost),
        "lost_order_ratio": JSON(day.count.ratio.map { decimal(Int64($0), exponent: 4) }),
        "lost_amounts": json(day.count.worth(of: \.isLost).amounts),
    ]
    for way in Fulfilment.allCases { members[way.name] = JSON(day.count[way]) }
    return .object(members)
}

private func json(_ tally: VerdictTally) -> JSON {
    .object([
        "verdict": .text(tally.verdict.rawValue), "cause": .text(tally.cause.rawValue),
        "subjects": JSON(tally.subjects), "amounts": json(tally.amounts),
    ])
}

/// `{"CNY": "0.00"}`.
func json(_ amounts: [Money]) -> JSON {
    .object(Dictionary(uniqueKeysWithValues: MoneySum(amounts).amounts.map { ($0.currency.text, .text($0.text)) }))
}

private func json(_ counts: RowCounts) -> [String: JSON] {
    [
        "rows": JSON(counts.rows), "accepted": JSON(counts.accepted), "duplicates": JSON(counts.duplicates),
        "rejected": JSON(counts.rejected),
    ]
}

private func json(_ file: FileLine) -> JSON {
    var members = json(file.counts)
    members["name"] = .text(file.name)
    members["feed"] = .text(file.feed.rawValue)
    members["digest"] = .text(file.digest)
    members["date"] = .text(file.fileDate.text)
    members["late"] = .bool(file.isLate)
    members["first_event"] = json(instant: file.firstEvent)
    members["last_event"] = json(instant: file.lastEvent)
    members["amounts"] = json(file.amounts)
    members["hash_total"] = .text(file.hashTotal)
    return .object(members)
}

private func json(instant: Instant?) -> JSON { JSON(instant?.text) }

extension CoverageGap {
    /// `{feed, date, why}`, in English regardless of the reports' language.
    var json: JSON {
        .object(["feed": .text(feed.rawValue), "date": .text(date.text), "why": .text(reason.machineText)])
    }
}

private func json(_ retry: RetryCounts, _ withheld: [WithheldCredits]) -> JSON {
    var members: [String: JSON] = [
        "emitted": JSON(retry.emitted), "waiting": JSON(retry.waiting), "held": JSON(retry.held),
        "dead": JSON(retry.dead),
    ]
    members["withheld"] = listed(
        withheld.map {
            .object([
                "reason": .text($0.reason.rawValue), "count": JSON($0.count), "amounts": json($0.worth),
                "names": .list($0.names.map { .text($0) }),
            ])
        })
    return .object(members)
}
