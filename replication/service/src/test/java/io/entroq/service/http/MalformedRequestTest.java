package io.entroq.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that cannot be read: 400, code 3, and words that say what is wrong. */
class MalformedRequestTest {
  private static HttpQueue served;

  @BeforeAll
  static void open() {
    served = new HttpQueue();
  }

  @AfterAll
  static void close() {
    served.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " ",
        "nothing",
        "{",
        "{}{}",
        "{} x",
        "[]",
        "null",
        "1",
        "\"{}\"",
        "{'inserts':[]}",
        "{\"inserts\":[]}//",
        "{\"inserts\":[],}",
        "{\"inserts\":{}}",
        "{\"inserts\":[null]}",
        "{\"inserts\":[[]]}",
        "{\"inserts\":[1]}",
        "{\"claimantId\":1}",
        "{\"claimantId\":true}",
        "{\"claimantId\":[]}",
        "{\"claimantId\":\"a\",\"claimantId\":\"a\"}",
        "{\"claimantId\":\"a\",\"claimant_id\":\"a\"}",
        "{\"inserts\":[{\"attempt\":1,\"attempt\":1}]}",
        "{\"claimantId\":\"\\ud800\"}",
        "{\"claimantId\":\"\\udc00\\ud800\"}",
        "{\"inserts\":[{\"value\":\"\\ud800\"}]}",
        "{\"inserts\":[{\"value\":{\"\\udc00\":1}}]}",
        "{\"inserts\":[{\"value\":{\"a\":1,\"a\":2}}]}",
        "{\"inserts\":[{\"value\":1e400}]}",
        "{\"inserts\":[{\"value\":NaN}]}",
        "{\"inserts\":[{\"value\":01}]}",
        "{\"inserts\":[{\"value\":}]}",
        "{\"inserts\":[{\"atMs\":\"\"}]}",
        "{\"inserts\":[{\"atMs\":\" 1\"}]}",
        "{\"inserts\":[{\"atMs\":\"0x1\"}]}",
        "{\"inserts\":[{\"atMs\":\"+1\"}]}",
        "{\"inserts\":[{\"atMs\":1.5}]}",
        "{\"inserts\":[{\"atMs\":true}]}",
        "{\"inserts\":[{\"atMs\":9223372036854775808}]}",
        "{\"inserts\":[{\"atMs\":\"1e999999999\"}]}",
        "{\"inserts\":[{\"attempt\":2147483648}]}",
        "{\"inserts\":[{\"attempt\":\"1e-1\"}]}",
        "{\"requestNumber\":-1}",
        "{\"requestNumber\":\"18446744073709551616\"}",
        "{\"clientId\":\"*\"}",
        "{\"clientId\":7}",
        "{\"thenClaim\":[]}"
      })
  void shouldRefuseInvalidMessages(String body) {
    RawResponse response = served.client.post("/api/v0/modify", body);
    assertThat(response.status()).as(response.text()).isEqualTo(400);
    assertThat(response.text())
        .startsWith("{\"code\":3,\"message\":\"unmarshal message: ")
        .endsWith(",\"details\":[]}");
    assertThat(response.headers()).containsEntry("content-type", "application/json");

    RawResponse connect =
        served.client.post("/api.EntroQ/Modify", body, "Content-Type: application/json");
    assertThat(connect.status()).isEqualTo(400);
    assertThat(connect.text())
        .startsWith("{\"code\":\"invalid_argument\",\"message\":\"unmarshal message: ");
  }

  @Test
  void shouldRefuseAnEmptyBody() {
    RawResponse response = served.client.post("/api/v0/modify", "");
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.text()).contains("unmarshal message: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u00ff", "\u00c0\u0080", "\u00ed\u00a0\u0080"})
  void shouldRefuseInvalidUtf8(String bytes) {
    byte[] body = ("{\"claimantId\":\"" + bytes + "\"}").getBytes(StandardCharsets.ISO_8859_1);
    served.client.send("POST", "/api/v0/modify", body);
    assertThat(served.client.receive().text()).contains("unmarshal message: not UTF-8");
    byte[] utf16 = "{\"claimantId\":\"a\"}".getBytes(StandardCharsets.UTF_16LE);
    served.client.send("POST", "/api/v0/modify", utf16);
    assertThat(served.client.receive().status()).isEqualTo(400);
  }

  @Test
  void shouldReportThePathOfAnError() {
    assertThat(served.client.post("/api/v0/modify", "{\"inserts\":[{},{\"atMs\":\"x\"}]}").text())
        .contains("at /inserts/1/atMs: not a number: x");
  }

  @Test
  void shouldRefuseDeepNesting() {
    for (int depth : new int[] {101, 1_000, 1_000_000}) {
      String value = "[".repeat(depth) + "]".repeat(depth);
      RawResponse response =
          served.client.post(
              "/api/v0/modify", "{\"inserts\":[{\"queue\":\"q\",\"value\":" + value + "}]}");
      assertThat(response.status()).as("%d", depth).isEqualTo(400);
      assertThat(served.client.post("/api/v0/modify", "{\"unknown\":" + value + "}").status())
          .isEqualTo(400);
    }
    String value = "[".repeat(99) + "]".repeat(99);
    assertThat(
            served
                .client
                .post("/api/v0/modify", "{\"inserts\":[{\"queue\":\"q\",\"value\":" + value + "}]}")
                .status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unknown=1",
        "limit=x",
        "limit=",
        "limit=1&limit=2",
        "limit=1.5",
        "limit=3000000000",
        "omitValues=1",
        "omitValues=",
        "queue.a=1",
        "queue=%",
        "queue=%zz",
        "queue=%ff",
        "%ff=1",
        ".=1",
        "=1"
      })
  void shouldRefuseInvalidParameters(String query) {
    RawResponse response = served.client.get("/api/v0/tasks?" + query);
    assertThat(response.status()).as(response.text()).isEqualTo(400);
    assertThat(response.text()).startsWith("{\"code\":3,");
  }

  @ParameterizedTest
  @ValueSource(strings = {"query=1", "query.=1", "query.x=1", "query.ids.x=1", "query.limit=x"})
  void shouldRefuseInvalidNestedParameters(String query) {
    assertThat(served.client.get("/api/v0/docs?" + query).status()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v0/time, GET, X-Server-Timeout: x",
    "/api/v0/time, GET, X-Server-Timeout: -1",
    "/api/v0/time, GET, X-Server-Timeout: 1e3",
    "/api.EntroQ/Time, POST, Connect-Timeout-Ms: 1.5",
    "/api.EntroQ/Time, POST, Connect-Timeout-Ms: 12345678901",
    "/api.EntroQ/Time, POST, Connect-Protocol-Version: 2"
  })
  void shouldRefuseInvalidHeaders(String path, String verb, String header) {
    served.client.send(
        verb,
        path,
        verb.equals("POST") ? new byte[] {'{', '}'} : new byte[0],
        "Content-Type: application/json",
        header);
    assertThat(served.client.receive().status()).isEqualTo(400);
  }

  @Test
  void shouldNameTheRefusedField() {
    RawResponse response = served.client.post("/api/v0/modify", "{\"inserts\":[{\"queue\":\"\"}]}");
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.text())
        .contains("\"message\":\"modify: insert of task \\\"\\\" must name a queue\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NOTHING\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9.9\r\n\r\n",
        "\u0000\u0001\u0002\u0003\r\n\r\n",
        "POST /api/v0/claim HTTP/1.1\r\nHost: t\r\nContent-Length: x\r\n\r\n",
        "POST /api/v0/claim HTTP/1.1\r\nHost: t\r\nContent-Length: -5\r\n\r\n",
        "POST /api/v0/claim HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
        "POST /api/v0/claim HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: t\r\nBad Header: 1\r\n\r\n",
        "GET /healthz HTTP/1.1\r\nHost: t\r\n: 1\r\n\r\n"
      })
  void shouldCloseConnectionsThatDoNotSpeakHttp(String bytes) {
    try (RawHttp other = served.connect()) {
      other.write(bytes);
      RawResponse response = other.receive();
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.headers()).containsEntry("connection", "close");
      assertThat(other.isEnded()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          400 | Host: missing          | GET /healthz HTTP/1.1~~
          400 | Host: expected once    | GET /healthz HTTP/1.1~Host: a~Host: a~~
          400 | Host: expected once    | GET /healthz HTTP/1.0~Host: a~Host: b~~
          400 | Host: must be a name   | GET /healthz HTTP/1.1~Host: a/b~~
          400 | Host: must be a name   | GET /healthz HTTP/1.1~Host: a b~~
          400 | Host: must be a name   | GET /healthz HTTP/1.1~Host: a:port~~
          505 | HTTP/9.9               | GET /healthz HTTP/9.9~Host: a~~
          505 | HTTP/2.0               | PRI * HTTP/2.0~~SM~~
          505 | HTTP/1.2               | GET /healthz HTTP/1.2~Host: a~~
          400 | cannot be read         | GET /healthz~~
          400 | cannot be read         | GET /healthz ICAP/1.0~Host: a~~
          501 | Transfer-Encoding      | POST /api/v0/claim HTTP/1.1~Host: a~Transfer-Encoding: gzip~~
          501 | Transfer-Encoding      | POST /api/v0/claim HTTP/1.1~Host: a~Transfer-Encoding: x, chunked~~
          501 | Transfer-Encoding      | POST /api/v0/claim HTTP/1.1~Host: a~Transfer-Encoding: gzip, chunked~~
          400 | Transfer-Encoding      | POST /api/v0/claim HTTP/1.1~Host: a~Transfer-Encoding: chunked~Transfer-Encoding: chunked~~
          400 | Transfer-Encoding      | POST /api/v0/claim HTTP/1.1~Host: a~Transfer-Encoding: chunked, chunked~~
          501 | Transfer-Encoding      | POST /api/v0/claim HTTP/1.1~Host: a~Transfer-Encoding: identity~~
          501 | Transfer-Encoding      | POST /api/v0/claim HTTP/1.1~Host: a~Transfer-Encoding: chunked, gzip~~
          400 | cannot be read         | POST /api/v0/claim HTTP/1.0~Host: a~Transfer-Encoding: chunked~~0~~
          400 | Content-Length         | POST /api/v0/claim HTTP/1.1~Host: a~Content-Length: 5~Transfer-Encoding: chunked~~0~~
          400 | Content-Length         | POST /api/v0/claim HTTP/1.1~Host: a~Content-Length: 5~Transfer-Encoding: gzip~~hello
          400 | cannot be read         | POST /api/v0/claim HTTP/1.1~Host: a~Content-Length: +5~~hello
          400 | cannot be read         | POST /api/v0/claim HTTP/1.1~Host: a~Content-Length: -1~~hello
          400 | cannot be read         | POST /api/v0/claim HTTP/1.1~Host: a~Content-Length: 5, 5~~hello
          400 | cannot be read         | POST /api/v0/claim HTTP/1.1~Host: a~Content-Length: 5~Content-Length: 5~~hello
          400 | cannot be read         | POST /api/v0/claim HTTP/1.1~Host: a~Content-Length: 0x5~~hello
          400 | cannot be read         | POST /api/v0/claim HTTP/1.1~Host: a~Content-Length: 99999999999999999999~~hello
          400 | cannot be read         | POST /api/v0/claim HTTP/1.1~Host: a~Content-Length:~~hello
          400 | cannot be read         | GET /healthz HTTP/1.1~Host : a~~
          400 | cannot be read         | GET /healthz HTTP/1.1~ X: 1~Host: a~~
          400 | cannot be read         | GET /healthz HTTP/1.1~Host: a~no colon~~
          400 | cannot be read         | GET /healthz HTTP/1.1~Host: a~X: \\1~~
          400 | cannot be read         | GET /healthz HTTP/1.1~Host: a~X\\0: 1~~
          400 | cannot be read         | GET /healthz HTTP/1.1~Host: a~X: a%b~~
          400 | cannot be read         | GET /healthz HTTP/1.1~Host: a^^
          400 |                        | GET /heal\\0thz HTTP/1.1~Host: a~~
          400 |                        | GET /heal thz HTTP/1.1~Host: a~~
          400 | must be a path or an   | GET healthz HTTP/1.1~Host: a~~
          400 | must be a path or an   | GET * HTTP/1.1~Host: a~~
          400 | must be a path or an   | GET ftp://a/healthz HTTP/1.1~Host: a~~
          400 | must be a path or an   | CONNECT a:443 HTTP/1.1~Host: a~~
          417 | Expect                 | GET /healthz HTTP/1.1~Host: a~Expect: money~~
          400 | Sec-WebSocket-Key1     | GET /healthz HTTP/1.1~Host: a~Sec-WebSocket-Key1: 1~Sec-WebSocket-Key2: 2~~
          400 | empty lines            | ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
          400 | cannot be read         | POST /api/v0/claim HTTP/1.1~Host: a~Transfer-Encoding: chunked~~-1~
          400 | cannot be read         | POST /api/v0/claim HTTP/1.1~Host: a~Transfer-Encoding: chunked~~80000000~
          400 | cannot be read         | POST /api/v0/claim HTTP/1.1~Host: a~Transfer-Encoding: chunked~~100000000~
          400 | cannot be read         | POST /api/v0/claim HTTP/1.1~Host: a~Transfer-Encoding: chunked~~;x~
          400 | cannot be read         | POST /api/v0/claim HTTP/1.1~Host: a~Transfer-Encoding: chunked~~2~{}0~
          """)
  void shouldExplainWhyAnHttpRequestIsInvalid(int status, String words, String request) {
    String bytes =
        request
            .replace("~", "\r\n")
            .replace("^", "\n")
            .replace("%", "\r")
            .replace("\\0", "\0")
            .replace("\\1", "\1");
    try (RawHttp other = served.connect()) {
      other.write(bytes);
      RawResponse response = other.receive();
      assertThat(response.status()).as(response.text()).isEqualTo(status);
      assertThat(response.text())
          .startsWith(status < 500 && status != 417 ? "{\"code\":3," : "{\"code\":12,")
          .contains(words == null ? "" : words);
      assertThat(response.headers())
          .containsEntry("connection", "close")
          .containsEntry("content-type", "application/json");
      assertThat(other.isEnded()).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          200 | GET /healthz HTTP/1.0~~
          200 | GET /healthz HTTP/1.0~Host: a~Expect: 100-continue~~
          200 | GET /healthz HTTP/1.1~Host:~~
          200 | GET /healthz HTTP/1.1~Host: [::1]:9100~~
          200 | GET /healthz HTTP/1.1~Host: xn--a.b_c:1~~
          200 | GET http://a:1/healthz HTTP/1.1~Host: a~~
          200 | GET HTTPS://a/api/v0/tasks?queue=q HTTP/1.1~Host: a~~
          404 | GET http://a?x HTTP/1.1~Host: a~~
          404 | OPTIONS * HTTP/1.1~Host: a~~
          405 | OPTIONS /healthz HTTP/1.1~Host: a~~
          200 | ~~GET /healthz HTTP/1.1~Host: a~~
          200 | GET /healthz HTTP/1.1~Host: a~X: 1~ 2~~
          200 | GET /healthz HTTP/1.1~Host: a~HttpConnection: Upgrade~Upgrade: h2c~~
          200 | GET /healthz HTTP/1.1~Host: a~HttpConnection: Upgrade~Upgrade: websocket~~
          200 | POST /api/v0/claim HTTP/1.1~Host: a~Transfer-Encoding: Chunked~~21;a=b~{"claimantId":"c","queues":["q"]}~0~X: 1~~
          """)
  void shouldAcceptUnusualButValidRequests(int status, String request) {
    try (RawHttp other = served.connect()) {
      other.write(request.replace("~", "\r\n"));
      RawResponse response = other.receive();
      assertThat(response.status()).as(response.text()).isEqualTo(status);
    }
  }

  @Test
  void shouldReportErrorsInTheProtocolOfThePath() {
    try (RawHttp other = served.connect()) {
      other.write("POST /api.EntroQ/Time HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n");
      assertThat(other.receive().text())
          .isEqualTo(
              "{\"code\":\"invalid_argument\",\"message\":\"Host: expected once, given 2 times\"}");
    }
  }

  @Test
  void shouldRefuseLongHeadersAndTargets() {
    try (RawHttp other = served.connect()) {
      other.write("GET /healthz HTTP/1.1\r\nHost: t\r\nX: " + "x".repeat(9_000) + "\r\n\r\n");
      assertThat(other.receive().status()).isEqualTo(431);
      assertThat(other.isEnded()).isTrue();
    }
    try (RawHttp other = served.connect()) {
      other.write("GET /healthz?" + "x".repeat(70_000) + " HTTP/1.1\r\nHost: t\r\n\r\n");
      assertThat(other.receive().status()).isEqualTo(414);
      assertThat(other.isEnded()).isTrue();
    }
  }
}
