// Files that are part of the program, each as text that ends with a zero byte.

#define RESOURCE(name) const char *_Nonnull name(void)

RESOURCE(english_texts);
RESOURCE(chinese_texts);
RESOURCE(report_layout);
RESOURCE(page_style);
RESOURCE(search_script);
RESOURCE(sample_configuration);
RESOURCE(demo_configuration);
RESOURCE(column_names);
