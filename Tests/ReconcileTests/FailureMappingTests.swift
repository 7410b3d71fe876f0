import Console
import Glibc
import Intake
import Reports
import Testing

@testable import Ledger
@testable import Reconcile

private struct Odd: Error {}

@Test(
    arguments: [
        (Odd(), .internalError), (Failure(.busy, "held"), .busy), (IntakeError.notAFile(path: "p"), .inputRefused),
        (IntakeError.cannotOpen(path: "p", reason: "r"), .noPermission),
        (IntakeError.cannotRead(path: "p", reason: "r"), .inputOutput),
        (LedgerError.unreleasedVersion(1), .configuration), (LedgerError.olderVersion(4), .configuration),
        (LedgerError.newerVersion(9, own: 4), .configuration), (LedgerError.notALedger, .inputOutput),
        (LedgerError.damaged("x"), .inputOutput), (SQLiteError(code: .busy, message: "m"), .busy),
        (SQLiteError(code: ResultCode(rawValue: 261), message: "m"), .busy),
        (SQLiteError(code: .corrupt, message: "m"), .inputOutput),
        (SQLiteError(code: .readOnly, message: "m"), .noPermission),
        (SQLiteError(code: .full, message: "m"), .inputOutput),
        (SQLiteError(code: .cantOpen, message: "m"), .cannotCreate),
        (SQLiteError(code: ResultCode(rawValue: 1034), message: "m"), .inputOutput),
        (SQLiteError(code: .constraint, message: "m"), .internalError),
        (ReportError.cannotCreate(path: "p", code: EEXIST), .cannotCreate),
        (ReportError.cannotCreate(path: "p", code: EACCES), .noPermission),
        (ReportError.cannotWrite(path: "p", code: EIO), .inputOutput),
    ] as [(any Error, ExitCode)])
func everyModulesErrorHasItsExitCode(_ error: any Error, _ code: ExitCode) {
    #expect(Failure(error).code == code)
}
