internal import Intake
internal import Ledger
internal import Reports
internal import Rules

/// Gives the errors of other modules their exit codes and remedies.
extension Failure {
    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as Unrecorded: self = error.failure
        case let error as Interrupted: self.init(error)
        case let error as IntakeError: self.init(error)
        case EngineError.unproven(let what):
            self.init(
                .internalError, "counts do not add up: \(what)",
                remedy: "Nothing was changed. Please report this line.")
        case EngineError.damaged(let what): self.init(LedgerError.damaged(what))
        case let error as LedgerError: self.init(error)
        case let error as RecordError: self.init(LedgerError.damaged(error.text))
        case let error as SQLiteError: self.init(error)
        case let error as ReportError: self.init(error)
        case is DecodingError: self.init(LedgerError.damaged("a row of it cannot be read"))
        case let error as TextsError: self.init(.configuration, error.description)
        default:
            self.init(
                .internalError, "internal error: \(display(String(describing: error)))",
                remedy: "Nothing was published. Please report it with this line.")
        }
    }

    /// The descriptions of these errors include the remedy.
    private init(_ error: IntakeError) {
        let code: ExitCode =
            switch error {
            case .notAFile: .inputRefused
            case .absent: .noInput
            case .cannotOpen, .cannotList: .noPermission
            case .cannotRead: .inputOutput
            case .cannotDecode: .configuration
            }
        self.init(code, error.description)
    }

    private init(_ error: LedgerError) {
        switch error {
        case .notALedger:
            self.init(
                .inputOutput, "the ledger's file is not a ledger, or is damaged",
                remedy: "Name another file as the ledger, or restore a backup.")
        case .newerRules(let version):
            self.init(
                .configuration,
                "the ledger was judged by newer rules (version \(version)) than this program's (version \(RuleSet.version))",
                remedy: "Install the newer program, or restore a backup from before it ran.")
        case .unreleasedVersion(let version):
            self.init(
                .configuration, "the ledger's version (\(version)) is from before the first release",
                remedy: "Use the program that wrote it, or move the ledger aside and run the nights again from the "
                    + "feeds, the first with --new-ledger.")
        case .olderVersion(let version):
            self.init(
                .configuration, "the ledger is of an older version (\(version)) than this program",
                remedy: "Run 'reconcile upgrade', or wait for the next night, which does the same first.")
        case .newerVersion(let version, let own):
            self.init(
                .configuration, "the ledger is of a newer version (\(version)) than this program's (\(own))",
                remedy: "Install the newer program, or restore the copy that the upgrade left beside the ledger "
                    + "(its name ends in .version-\(own)-DATE).")
        case .cannotShare:
            self.init(
                .noPermission,
                "the ledger cannot be read: its log (-wal) needs a file that this user cannot create",
                remedy:
                    "Have its owner run 'reconcile check' once, which creates that file, or run this command as its owner."
            )
        case .damaged(let what): self.init(.inputOutput, "the ledger is damaged: \(what)", remedy: Self.repair)
        }
    }

    /// Whether a COMMIT failed in a way that leaves no trace of the transaction: there was no room to write.
    static func leavesNothing(_ error: any Error) -> Bool { (error as? SQLiteError)?.primary == .full }

    /// The same failure with the remedy for a night that is already committed: its reports are complete, but not yet in
    /// place.
    var afterCommit: Failure {
        Failure(code, message, remedy: "The night is in the ledger. Run again to put its reports in place.")
    }

    private static let repair =
        "Restore a backup, or rebuild it from the archived feeds; 'reconcile check' lists every problem."

    private init(_ error: SQLiteError) {
        switch error.primary {
        case .busy, .locked:
            self.init(.busy, "another run is using the ledger", remedy: "Wait until it has ended and run again.")
        case .permission:
            self.init(
                .noPermission, "the ledger cannot be opened: permission denied",
                remedy: "Run as the user who owns it, or set `group` in the configuration.")
        case .readOnly:
            self.init(.noPermission, "the ledger cannot be written", remedy: "Run as the user who owns it.")
        case .full:
            self.init(
                .inputOutput, "the disk has no room for the ledger", remedy: "Make room on its disk and run again.")
        case .cantOpen:
            self.init(
                .cannotCreate, "the ledger cannot be opened",
                remedy: "Check that its folder exists, belongs to this user, and has room for files (df -i).")
        case .ioError:
            self.init(
                .inputOutput, "reading or writing the ledger failed", remedy: "Check the disk before running again.")
        case _ where error.isDamaged:
            self.init(.inputOutput, "the ledger is damaged: \(error.message)", remedy: Self.repair)
        case _ where error.isSchemaChanged:
            self.init(
                .inputOutput, "the ledger is damaged: its tables were changed (\(error.message))",
                remedy: Self.repair)
        default:
            self.init(.internalError, "internal error: \(error)", remedy: "Nothing was published. Please report it.")
        }
    }

    private init(_ error: ReportError) {
        switch error {
        case .cannotCreate(let path, let code): self = .system(code, cannot: "create", path, otherwise: .cannotCreate)
        case .cannotWrite(let path, let code): self = .system(code, cannot: "write", path, otherwise: .inputOutput)
        case .workbook: self.init(.inputOutput, error.description)
        case .unproven: self.init(.internalError, error.description)
        }
    }
}
