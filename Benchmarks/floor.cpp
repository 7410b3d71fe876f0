// The indispensable work of a night that stores nothing, done with the fastest libraries: every file is read, hashed
// and parsed, every receipt is hashed, and 430 bytes are filled in for each purchase; then the same cells are written
// to a workbook, and the other reports are copied and hashed. It runs on two threads, and does not check values,
// distinguish identifiers, join or judge.
//   floor INBOX DATE PREVIEW       prints the seconds of reading and of reporting; see floor.sh
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <simdjson.h>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>
#include <xlsxwriter.h>
#include <zlib.h>

using std::string, std::string_view, std::vector;

// Workbooks are compressed with zlib's fastest level, like the product's; libxlsxwriter has no option for it.
extern "C" int deflateInit2_(
    z_streamp stream, int, int method, int bits, int memory, int strategy, const char *version, int size
) {
    static auto next = reinterpret_cast<decltype(&deflateInit2_)>(dlsym(RTLD_NEXT, "deflateInit2_"));
    return next(stream, 1, method, bits, memory, strategy, version, size);
}

struct Digest {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    unsigned char value[32];
    ~Digest() { EVP_MD_CTX_free(context); }
    void begin() { EVP_DigestInit_ex(context, EVP_sha256(), nullptr); }
    void add(const void *bytes, size_t count) { EVP_DigestUpdate(context, bytes, count); }
    void end() { EVP_DigestFinal_ex(context, value, nullptr); }
};

// As large as the product's own records, because the kernel must provide the memory that is filled in.
struct Transaction { uint64_t words[18]; };
struct Receipt { unsigned char content[32]; uint64_t words[10]; };
struct Order { uint64_t words[13]; };
struct Credit { uint64_t words[9]; };

static uint64_t word(string_view text) { // a few bytes in the place of an identifier
    uint64_t value = 0;
    memcpy(&value, text.data(), std::min(text.size(), sizeof value));
    return value ^ text.size();
}

template <class Value> static uint64_t wordOf(Value value, Digest *digest = nullptr) {
    string_view text;
    if (!value.get_string().get(text)) {
        if (digest) digest->add(text.data(), text.size());
        return word(text);
    }
    int64_t number = 0;
    return value.get_int64().get(number) ? 0 : number;
}

// Reads and hashes a file in pieces of one mebibyte, and passes on whole lines.
template <class Use> static void forEachPiece(const string &path, Use use) {
    const size_t size = 1 << 20;
    vector<char> bytes(2 * size + simdjson::SIMDJSON_PADDING);
    Digest digest;
    digest.begin();
    int file = open(path.c_str(), O_RDONLY);
    if (file < 0) { perror(path.c_str()); exit(1); }
    size_t held = 0;
    for (ssize_t count; (count = read(file, bytes.data() + held, size)) > 0;) {
        digest.add(bytes.data() + held, count);
        held += count;
        auto last = static_cast<char *>(memrchr(bytes.data(), '\n', held));
        size_t used = last ? last + 1 - bytes.data() : 0;
        if (used) use(bytes.data(), used);
        memmove(bytes.data(), bytes.data() + used, held -= used);
    }
    digest.end();
    close(file);
}

template <class Row, class Fill> static void readJSON(const string &path, Fill fill) {
    vector<Row> rows;
    rows.reserve(1100000);
    simdjson::ondemand::parser parser;
    forEachPiece(path, [&](char *bytes, size_t count) {
        for (auto document : parser.iterate_many(bytes, count, count + 1).value())
            fill(rows.emplace_back(), document.get_object().value());
    });
}

template <class Row> static void readCSV(const string &path) {
    vector<Row> rows;
    rows.reserve(1100000);
    forEachPiece(path, [&](char *bytes, size_t count) {
        for (char *at = bytes, *end = bytes + count; at < end; at++) {
            Row &row = rows.emplace_back();
            size_t place = 0;
            for (char *start = at;; at++) {
                if (*at != ',' && *at != '\n') continue;
                row.words[place++ % std::size(row.words)] = word({start, size_t(at - start)});
                if (*at == '\n') break;
                start = at + 1;
            }
        }
    });
}

static void readAll(const string &inbox, const string &date) {
    auto name = [&](const char *feed, const char *end) { return inbox + "/" + feed + "-" + date + end; };
    std::thread other([&] {
        readJSON<Transaction>(name("transactions", ".jsonl"), [](Transaction &row, auto members) {
            size_t place = 0;
            for (auto member : members) row.words[place++ % 18] = wordOf(member.value());
        });
        readCSV<Credit>(name("credits", ".csv"));
    });
    Digest digest;
    readJSON<Receipt>(name("receipts", ".jsonl"), [&](Receipt &row, auto members) {
        size_t place = 0;
        digest.begin();
        for (auto member : members) row.words[place++ % 10] = wordOf(member.value(), &digest);
        digest.end();
        memcpy(row.content, digest.value, sizeof row.content);
    });
    readCSV<Order>(name("orders", ".csv"));
    other.join();
}

static void report(const string &preview) {
    vector<vector<string>> rows;
    FILE *csv = fopen((preview + "/exceptions.csv").c_str(), "r");
    if (!csv) { perror("exceptions.csv"); exit(1); }
    char *line = nullptr;
    size_t room = 0;
    for (ssize_t count; (count = getline(&line, &room, csv)) > 0;) {
        line[count - 1] = 0;
        rows.emplace_back();
        for (char *rest = line, *field; (field = strsep(&rest, ","));) rows.back().push_back(field);
    }
    auto start = std::chrono::steady_clock::now();
    lxw_workbook_options options{};
    options.constant_memory = 1;
    string copy = preview + "/floor.copy", workbook = preview + "/floor.xlsx";
    lxw_workbook *book = workbook_new_opt(workbook.c_str(), &options);
    lxw_worksheet *sheets[4];
    for (auto &sheet : sheets) sheet = workbook_add_worksheet(book, nullptr);
    // Each exception is written twice, as in the product's workbook: with all columns, and with thirteen.
    auto fill = [&](lxw_worksheet *sheet, size_t from, size_t to, size_t columns) {
        for (size_t row = from; row < to; row++)
            for (size_t column = 0; column < std::min(columns, rows[row].size()); column++) {
                const string &text = rows[row][column];
                if (text.empty()) continue;
                bool isNumber = (column >= 5 && column <= 8) || column == 16 || column == 18 || column == 19;
                double number = 45000.123 + atof(text.c_str());
                if (isNumber) worksheet_write_number(sheet, row - from, column, number, nullptr);
                else worksheet_write_string(sheet, row - from, column, text.c_str(), nullptr);
            }
    };
    size_t half = rows.size() / 2;
    std::thread other([&] { fill(sheets[0], 0, half, 99), fill(sheets[1], 0, half, 13); });
    fill(sheets[2], half, rows.size(), 99), fill(sheets[3], half, rows.size(), 13);
    other.join();
    std::thread copies([&] {
        for (const char *name : {"/exceptions.csv", "/report.html", "/retry-manifest.jsonl"}) {
            int to = open(copy.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
            forEachPiece(preview + name, [&](char *bytes, size_t count) {
                if (write(to, bytes, count) < 0) exit(1);
            });
            close(to);
        }
    });
    workbook_close(book);
    copies.join();
    printf("%.2f ", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

int main(int, char **arguments) {
    auto start = std::chrono::steady_clock::now();
    readAll(arguments[1], arguments[2]);
    double reading = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    printf("%.2f ", reading);
    report(arguments[3]);
    printf("\n");
}
