import Console
import Testing

@Test func pathsAreJoinedWithoutSurprise() {
    #expect(
        absolute("a", in: "/b") == "/b/a" && absolute("/a", in: "/b") == "/a" && absolute("./a", in: "/b/") == "/b/a")
    #expect(absolute("./reconcile.json", in: "/b/.") == "/b/reconcile.json" && absolute(".", in: "/") == "/")
    #expect(absolute("../a", in: "/") == "/../a" && folderOf("/a/b") == "/a" && folderOf("/a") == "/")
}
