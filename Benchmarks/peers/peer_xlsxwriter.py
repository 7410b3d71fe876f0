"""The cells of Benchmarks/Workbook by XlsxWriter, in constant memory. usage: peer_xlsxwriter.py FILE"""
import sys

import xlsxwriter

book = xlsxwriter.Workbook(sys.argv[1], {"constant_memory": True})
sheet = book.add_worksheet("cells")
for row in range(100_000):
    for column in range(10):
        if column % 3 == 2:
            sheet.write_number(row, column, row * 10 + column)
        else:
            sheet.write_string(row, column, f"cell {column} of row {row}")
book.close()
