"""What the Python peers share: the columns of a finding, a workbook of them, and the counts."""
import xlsxwriter

COLUMNS = (
    "verdict transaction_id order_id account_id product_id ordered_minor ordered_currency paid_thousandths paid_currency"
    " purchased_ms credits balance receipts environment"
).split()


def write_workbook(path, findings, counts):
    """A sheet of counts, and a sheet of rows for each verdict. Findings come sorted by verdict."""
    book = xlsxwriter.Workbook(path, {"constant_memory": True})
    bold = book.add_format({"bold": True})
    summary = book.add_worksheet("summary")
    for line, pair in enumerate([("verdict", "count"), *sorted(counts.items())]):
        summary.write_row(line, 0, pair, bold if line == 0 else None)
    sheet, verdict, line = None, None, 0
    for finding in findings:
        if finding[0] != verdict:
            verdict, line = finding[0], 0
            sheet = book.add_worksheet(verdict)
            sheet.write_row(0, 0, COLUMNS, bold)
            sheet.freeze_panes(1, 0)
        line += 1
        for column, value in enumerate(finding):
            if isinstance(value, str):
                sheet.write_string(line, column, value)
            elif value is not None:
                sheet.write_number(line, column, value)
    book.close()


def print_counts(counts):
    """One line for each verdict, as Benchmarks/common.bash compares them."""
    for verdict, count in sorted(counts.items()):
        print(verdict, count)
