// Xlsx
