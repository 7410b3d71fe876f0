import Foundation
import Testing

/// `cron/reconcile-notify` against a listener on this machine, which computes the services' signatures by itself.
@Suite struct NotifyTests {
    private let folder = TestFolder()
    /// A secret longer than a block of SHA-256, as DingTalk's are, and a short one.
    private static let long = "SEC" + String(repeating: "0123456789abcdef", count: 4)
    private static let short = "sEcReT+/="
    /// Writes a line for each request: `PATH SIGNED BYTES TEXT`. The text is the message's, as JSON. The services' rules:
    /// https://open.dingtalk.com/document/robots/customize-robot-security-settings,
    /// https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
    private static let listener = """
        import base64, hashlib, hmac, http.server, json, os, sys, urllib.parse
        answers, long, short = json.loads(sys.argv[1]), '\(long)', '\(short)'
        def mac(key, text): return base64.b64encode(hmac.new(key.encode(), text.encode(), hashlib.sha256).digest()).decode()
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers['Content-Length'])).decode('utf-8')
                place, _, query = self.path.partition('?')
                query, signed, text = urllib.parse.parse_qs(query), '-', body
                if 'application/json' in self.headers['Content-Type']:
                    body = json.loads(body)
                    text = body.get('text') or body['content']
                    if isinstance(text, dict): text = text.get('content') or text['text']
                    if 'sign' in query: signed = query['sign'] == [mac(long, query['timestamp'][0] + chr(10) + long)]
                    if 'sign' in body: signed = body['sign'] == mac(body['timestamp'] + chr(10) + short, '')
                with open('requests', 'a') as file:
                    file.write('%s %s %d %s' % (place, signed, len(text.encode()), json.dumps(text, ensure_ascii=False)) + chr(10))
                status, answer = answers.pop(0) if len(answers) > 1 else answers[0]
                self.send_response(status); self.end_headers(); self.wfile.write(answer.encode())
            def log_message(self, *ignored): pass
        server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
        with open('port.new', 'w') as file: file.write(str(server.server_address[1]))
        os.rename('port.new', 'port')
        server.serve_forever()
        """

    /// Runs the script with `services` (`PORT` stands for the listener's) and returns its end and the requests.
    private func notify(
        _ services: String, text: String, argument: String = "",
        answers: String = #"[[200, "{\"errcode\": 0, \"code\": 0}"]]"#,
        mode: Int = 0o600, _ variables: [String: String] = [:]
    ) throws -> (ended: Ended, requests: [String]) {
        try folder.write(Self.listener, to: "listener.py")
        try folder.write(services, to: "services")
        try folder.write(text, to: "text")
        try folder.write(answers, to: "answers")
        for name in ["requests", "port", "notify.conf"] {
            try? FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
        let own = [
            "RECONCILE_CONFIG": folder.path + "/reconcile.json", "RECONCILE_NOTIFY_PAUSE": "0", "RECONCILE_APP": "game",
            "RECONCILE_HOST": "h", "RECONCILE_DATE": "2026-11-21", "RECONCILE_EXIT": "0", "RECONCILE_HEADLINE": "3 new",
        ]
        let ended = try Program.shell(
            "python3 listener.py \"$(cat answers)\" & until [ -e port ]; do kill -0 $! || exit 99; sleep 0.02; done; "
                + "sed \"s/PORT/$(cat port)/\" services >notify.conf; chmod \(String(mode, radix: 8)) notify.conf; "
                + "'\(Program.repository)/cron/reconcile-notify' \(argument) <text; code=$?; kill -9 $!; exit $code",
            in: folder.path, own.merging(variables) { $1 })
        return (ended, ((try? folder.read("requests")) ?? "").split(separator: "\n").map(String.init))
    }

    private static let all = """
        # services
        slack http://127.0.0.1:PORT/slack
        dingtalk http://127.0.0.1:PORT/ding?access_token=t \(long)
        feishu http://127.0.0.1:PORT/feishu \(short)
        wecom http://127.0.0.1:PORT/wecom?key=k
        healthchecks http://127.0.0.1:PORT/uuid

        """

    @Test func everyServiceGetsItsSignedMessage() throws {
        let (ended, requests) = try notify(Self.all, text: "3 new\nsummary", ["RECONCILE_EXIT": "78"])
        #expect(ended == Ended(code: 0, output: "", errors: ""))
        let text = #"[game h] FAILED 78 2026-11-21: 3 new\n\nsummary"#
        #expect(
            requests
                == ["/slack - 45 ", "/ding True 45 ", "/feishu True 45 ", "/wecom - 45 "].map { "\($0)\"\(text)\"" },
            "\(requests)")
    }

    @Test func theHeartbeatGoesToItsServiceOnly() throws {
        #expect(try notify(Self.all, text: "", argument: "start").requests == [#"/uuid/start - 0 """#])
        #expect(try notify(Self.all, text: "", argument: "78").requests == [#"/uuid/78 - 16 "2026-11-21 3 new""#])
        #expect(try notify(Self.all, text: "", argument: "end").ended.code == 64)
    }

    /// Each service has its own limit; a character is never cut.
    @Test func aLongMessageIsCutBetweenCharacters() throws {
        let (ended, requests) = try notify(Self.all, text: String(repeating: "掉\"单\n", count: 9000))
        #expect(ended.code == 0 && requests.count == 4, "\(ended)")
        for (request, limit) in zip(requests, [16_000, 20_000, 20_000, 2048]) {
            let bytes = try #require(Int(request.split(separator: " ")[2]))
            #expect(bytes <= limit && bytes > limit / 2 && request.hasSuffix("…\"") && !request.contains("\u{FFFD}"))
        }
    }

    @Test func hostileTextStaysText() throws {
        let hostile = "\"}],\"x\": \\u0041 $(touch pwned) `touch pwned` <!channel> & \u{1}\u{7F}\tend"
        let (ended, requests) = try notify(
            Self.all, text: hostile, ["RECONCILE_HEADLINE": "';touch pwned;\"", "RECONCILE_APP": "$(touch pwned)"])
        #expect(ended.code == 0 && !FileManager.default.fileExists(atPath: folder.path + "/pwned"), "\(ended)")
        #expect(requests.count == 4 && requests[0].contains("&lt;!channel&gt; &amp; \\tend"), "\(requests)")
        #expect(
            requests[3].contains(#"\"}],\"x\": \\u0041 $(touch pwned) `touch pwned` <!channel> & \tend"#), "\(requests)"
        )
    }

    /// The services answer 200 with an error's number. Each is tried twice, and one that fails does not keep the others.
    @Test func aRefusalIsSaidAfterOneMoreTry() throws {
        let refusal = #"[200, "{\"errcode\": 310000, \"errmsg\": \"sign not match\"}"]"#
        let two = "dingtalk http://127.0.0.1:PORT/ding?access_token=t0k3n\nwecom http://127.0.0.1:PORT/wecom\n"
        let (ended, requests) = try notify(
            two, text: "x", answers: "[\(refusal), \(refusal), [200, \"{\\\"errcode\\\":0}\"]]")
        #expect(
            ended.code == 1 && requests.map { $0.split(separator: " ")[0] } == ["/ding", "/ding", "/wecom"],
            "\(requests)")
        #expect(ended.errors.contains("dingtalk: refused: ") && ended.errors.contains("310000"), "\(ended)")
        let down = try notify(two, text: "x", answers: #"[[500, "sorry"], [200, "{\"errcode\":0}"]]"#)
        #expect(down.ended.code == 0 && down.requests.count == 3)
        // Where nothing listens: the address, which is a secret, is in no message.
        let nowhere = try notify("slack http://127.0.0.1:1/t0k3n\nslack http://example.com/t0k3n\n", text: "x")
        #expect(nowhere.ended.code == 1 && nowhere.ended.errors.contains("slack: no answer"), "\(nowhere.ended)")
        #expect(!nowhere.ended.errors.contains("t0k3n") && !ended.errors.contains("t0k3n"))
    }

    @Test func theAddressesBelongToTheOwnerAlone() throws {
        let (ended, requests) = try notify(Self.all, text: "x", mode: 0o640)
        #expect(ended.code == 78 && ended.errors.contains("chmod 600") && requests.isEmpty, "\(ended)")
    }
}
