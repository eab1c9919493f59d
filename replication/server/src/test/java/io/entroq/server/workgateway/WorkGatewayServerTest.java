package io.entroq.server.workgateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.engine.embedded.TestEntroQ;
import io.entroq.workers.WorkGateway;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The gateway for programs that connect by WebSocket. */
class WorkGatewayServerTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final int MESSAGE_BYTES_MAX = 100_000;
  private static final int PATIENCE_MS = 60_000;
  private static final Duration SHORT_PING_INTERVAL = Duration.ofSeconds(2);

  /** The frame of a ping. */
  private static final String PING = "89 ";

  private final TestEntroQ queue = TestEntroQ.open();
  private final List<Program> programs = new ArrayList<>();
  private final List<Socket> sockets = new ArrayList<>();
  private WorkGatewayServer server;

  static WorkGatewayConfig config(Function<List<String>, WorkGateway.Builder> defaults) {
    return new WorkGatewayConfig(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        List.of("in", "other"),
        defaults,
        10,
        WorkGatewayConfig.MESSAGE_BYTES_DEFAULT,
        Optional.empty(),
        Set.of(),
        WorkGatewayConfig.REQUEST_TIME,
        WorkGatewayConfig.PING_INTERVAL);
  }

  private static WorkGateway.Builder gateway(List<String> queues) {
    return WorkGateway.from(queues.toArray(String[]::new)).version("test");
  }

  private void serve(int connectionsMax, Optional<String> token, Duration pingInterval)
      throws IOException {
    serve(connectionsMax, token, WorkGatewayConfig.REQUEST_TIME, pingInterval);
  }

  private void serve(
      int connectionsMax, Optional<String> token, Duration requestTime, Duration pingInterval)
      throws IOException {
    WorkGatewayConfig standard = config(WorkGatewayServerTest::gateway);
    server =
        WorkGatewayServer.start(
            queue,
            new WorkGatewayConfig(
                standard.address(),
                standard.queues(),
                standard.defaults(),
                connectionsMax,
                MESSAGE_BYTES_MAX,
                token,
                Set.of("https://allowed.example"),
                requestTime,
                pingInterval));
  }

  private void serve() throws IOException {
    serve(10, Optional.empty(), WorkGatewayConfig.PING_INTERVAL);
  }

  @AfterEach
  void stop() throws IOException {
    // It would wait for their answers.
    programs.forEach(Program::vanish);
    for (Socket socket : sockets) {
      socket.close();
    }
    if (server != null) {
      server.close();
    }
    queue.close();
  }

  private Program connect() throws Exception {
    return connect("?queue=in&work=1");
  }

  private Program connect(String parameters, String... headers) throws Exception {
    Program program = Program.connect(server.url() + parameters, headers);
    programs.add(program);
    program.receive("hello");
    return program;
  }

  private void insert(String json) {
    queue.modify(Modification.insert(Insert.into("in").withValue(Value.json(json)))).orThrow();
  }

  private List<Task> tasks(String name) {
    return queue.tasks(TaskQuery.in(name));
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("it takes too long").isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private void awaitReleased() throws InterruptedException {
    await(() -> tasks("in").get(0).claimant().isEmpty());
    assertThat(tasks("in").get(0).attempt()).isZero();
  }

  @Test
  void shouldGiveTwoProgramsATaskEach() throws Exception {
    serve();
    Program first = connect();
    Program second = connect();
    insert("1");
    insert("2");
    Set<Integer> values = new HashSet<>();
    for (Program program : List.of(first, second)) {
      values.add(program.receive("doWork").get("task").get("value").intValue());
    }
    assertThat(values).containsExactlyInAnyOrder(1, 2);
    second.acknowledge();
    await(() -> tasks("in").size() == 1);
    second.close();
    assertThat(second.awaitClosed()).isEqualTo(new Program.Closed(1000, ""));
    first.acknowledge();
    await(() -> tasks("in").isEmpty());
  }

  @Test
  void shouldGiveTheSameDocsToOneProgramAtATime() throws Exception {
    serve();
    insert("1");
    insert("2");
    List<Program> both = List.of(connect("?takeDocs=1"), connect("?takeDocs=1&retryDelay=1h"));
    for (Program program : both) {
      program.receive("takeDocs");
    }
    String docs = "{\"type\":\"docs\",\"claims\":[{\"namespace\":\"ns\",\"key\":\"k\"}]}";
    both.get(0).send(docs);
    JsonNode work = both.get(0).receive("doWork");
    String claimant = work.get("task").get("claimantId").textValue();
    assertThat(work.get("groups").get(0).get("claimant").textValue()).isEqualTo(claimant);
    assertThat(claimant).startsWith(queue.claimant() + "#");
    both.get(1).send(docs);
    Instant later = queue.time().plus(Duration.ofHours(1));
    await(
        () ->
            both.get(1).hasMessage()
                || tasks("in").stream().anyMatch(task -> task.arrivalTime().equals(later)));
    assertThat(both.get(1).hasMessage()).isFalse();
    both.get(0).acknowledge();
    await(() -> tasks("in").size() == 1);
  }

  @Test
  void shouldGoByWhatAProgramAsksFor() throws Exception {
    serve();
    queue.modify(Modification.insert(Insert.into("other").withAttempt(1, ""))).orThrow();
    insert("1");
    Program program =
        connect("?queue=other&maxAttempts=2&errorQueue=errors%2F%7Binbox%7D&success=true");
    assertThat(program.receive("doWork").get("task").get("queue").textValue()).isEqualTo("other");
    program.send("{\"type\":\"result\",\"outcome\":\"retry\"}");
    await(() -> !tasks("errors/other").isEmpty());
    queue.modify(Modification.insert("other", "x")).orThrow();
    program.receive("doWork");
    program.acknowledge();
    program.receive("success");
    assertThat(tasks("in").get(0).claims()).as("it has not asked for that").isZero();
  }

  @Test
  void shouldServeAllItsQueuesToAProgramThatNamesNone() throws Exception {
    serve();
    queue.modify(Modification.insert("other", "x")).orThrow();
    connect("").receive("doWork");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "queue=secret,queue 'secret' is not served here",
        "queue=in&queue=secret,queue 'secret' is not served here",
        "queue=in&work=0,work must be on",
        "queue=in&work=maybe,'maybe' is no value for work",
        "queue=in&maxAttempts=x,'x' is no value for maxAttempts",
        "queue=in&maxAttempts=-1,maxAttempts must be from 0",
        "queue=in&maxClaims=1&maxClaims=2,parameter 'maxClaims' is there twice",
        "queue=in&maxAttempts=&maxAttempts=5,parameter 'maxAttempts' is there twice",
        "queue=in&retryDelay=soon,'soon' is no value for retryDelay",
        "queue=in&retryDelay=0s,retryDelay must be from 1 ms",
        "queue=in&takeDocs=2,'2' is no value for takeDocs",
        "queue=in&lease=1s,parameter 'lease' is unknown",
      })
  void shouldGreetAndThenRefuseWhatIsNotPossible(String parameters, String why) throws Exception {
    serve();
    Program program = connect("?" + parameters);
    JsonNode error = program.receive("error");
    assertThat(error.get("class").textValue()).isEqualTo("caller");
    assertThat(error.get("message").textValue()).contains(why);
    Program.Closed closed = program.awaitClosed();
    assertThat(closed.code()).isEqualTo(1008);
    assertThat(closed.reason()).contains(why);
    assertThat(server.isRunning()).isTrue();
  }

  @Test
  void shouldReleaseTheTaskOfAProgramThatVanishes() throws Exception {
    serve();
    insert("1");
    Program program = connect();
    program.receive("doWork");
    program.vanish();
    awaitReleased();
    connect().receive("doWork");
  }

  @Test
  void shouldReadMessagesInPiecesAndInBytes() throws Exception {
    serve();
    insert("1");
    Program program = connect("?queue=in&success=1");
    program.receive("doWork");
    program.sendInPieces("{\"type\":\"result\",\n\"outc", "", "ome\":\"ok\",\"ack\":true}");
    program.receive("success");
    program.sendBytes("{\"type\":\"done\"}".getBytes(StandardCharsets.UTF_8));
    insert("2");
    program.receive("doWork");
  }

  @ParameterizedTest
  @CsvSource({"100000,true", "100001,false"})
  void shouldReadMessagesUpToTheLimit(int bytes, boolean isRead) throws Exception {
    serve();
    insert("1");
    Program program = connect();
    program.receive("doWork");
    String begin = "{\"type\":\"result\",\"outcome\":\"retry\",\"after\":\"1h\",\"message\":\"";
    program.send(begin + "x".repeat(bytes - begin.length() - 2) + "\"}");
    if (isRead) {
      await(() -> tasks("in").get(0).attempt() == 1);
    } else {
      assertThat(program.awaitClosed())
          .isEqualTo(new Program.Closed(1009, "a message has more than 100,000 bytes"));
      awaitReleased();
    }
  }

  @Test
  void shouldSayWhatIsNotJson() throws Exception {
    serve();
    insert("1");
    Program program = connect();
    program.receive("doWork");
    program.send("");
    assertThat(program.awaitClosed())
        .isEqualTo(new Program.Closed(1000, "what it sent is not JSON: it is blank"));
    awaitReleased();
  }

  private static String handshake(String... lines) {
    return "GET /work?queue=in HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        + String.join("", lines)
        + "\r\n";
  }

  private Socket open(String request) throws IOException {
    URI url = URI.create(server.url());
    Socket socket = new Socket(url.getHost(), url.getPort());
    sockets.add(socket);
    socket.setSoTimeout(PATIENCE_MS);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /** A connection that has been accepted, after its hello. */
  private Socket openSession() throws IOException {
    Socket socket = open(handshake());
    assertThat(head(socket)).startsWith("HTTP/1.1 101 ");
    awaitFrame(socket, "hello");
    return socket;
  }

  /** Answers pings until there is a frame with this text. */
  private static void awaitFrame(Socket socket, String text) throws IOException {
    for (String next = frame(socket); !next.contains(text); next = frame(socket)) {
      assertThat(next).isEqualTo(PING);
      socket.getOutputStream().write(HexFormat.of().parseHex("8a8000000000"));
    }
  }

  private static String head(Socket socket) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int b = socket.getInputStream().read();
      assertThat(b).as(head.toString()).isNotNegative();
      head.append((char) b);
    }
    return head.toString();
  }

  /**
   * The next frame: its first byte, and its payload as text; the code of a close frame as number.
   */
  private static String frame(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    int first = in.readUnsignedByte();
    int length = in.readUnsignedByte();
    byte[] payload = new byte[length == 126 ? in.readUnsignedShort() : length];
    in.readFully(payload);
    return first == 0x88
        ? "close " + ByteBuffer.wrap(payload).getShort()
        : Integer.toHexString(first) + " " + new String(payload, StandardCharsets.UTF_8);
  }

  /** Frames as bytes in hexadecimal digits; masked ones have a mask of zeros. */
  @ParameterizedTest
  @CsvSource({
    "81027b7d,1002,not masked",
    "8382000000007b7d,1002,an opcode that is not used",
    "c182000000007b7d,1002,a bit that nobody agreed on",
    "8082000000007b7d,1002,a continuation of nothing",
    "89fe007e00000000,1002,a control frame that is too long",
    "0982000000007b7d,1002,a control frame in pieces",
    "818200000000c328,1007,a text that is not UTF-8",
    "81ff7fffffffffffffff00000000,1009,too long",
    "81ffffffffffffffffff00000000,1002,a negative length",
    "888100000000ff,1002,a close frame with half a code",
  })
  void shouldRefuseMalformedFrames(String bytes, int code, String what) throws Exception {
    serve();
    insert("1");
    try (Socket socket = openSession()) {
      assertThat(frame(socket)).as(what).contains("doWork");
      socket.getOutputStream().write(HexFormat.of().parseHex(bytes));
      assertThat(frame(socket)).isEqualTo("close " + code);
      awaitReleased();
    }
    connect().receive("doWork");
  }

  @Test
  void shouldAnswerPings() throws Exception {
    serve();
    try (Socket socket = openSession()) {
      socket.getOutputStream().write(HexFormat.of().parseHex("8982000000006869"));
      assertThat(frame(socket)).isEqualTo("8a hi");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST /work HTTP/1.1~Content-Length: 0~~|405|only GET",
        "GET / HTTP/1.1~~|404|the work gateway is at /work",
        "GET /works?queue=in HTTP/1.1~~|404|the work gateway is at /work",
        "GET /work HTTP/1.1~~|426|connect by WebSocket",
        "GET /work?queue=%zz HTTP/1.1~Upgrade: websocket~Sec-WebSocket-Version: 13~~|400|the URL is malformed",
        "nonsense~~|400|this is not an HTTP request",
        "GET /work HTTP/1.1~Upgrade: websocket~Connection: Upgrade~Sec-WebSocket-Version: 13~~|400|",
        "GET /work HTTP/1.1~Upgrade: websocket~Connection: Upgrade~Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==~Sec-WebSocket-Version: 9~~|426|13",
        "GET /work HTTP/1.1~Upgrade: websocket~Connection: Upgrade~Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==~Sec-WebSocket-Version: 8~~|426|13",
        "GET /work HTTP/1.1~Upgrade: websocket~Connection: Upgrade~Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==~Sec-WebSocket-Version: 7~~|426|13",
        "GET /work HTTP/1.1~Upgrade: websocket~Connection: Upgrade~Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==~~|426|13",
        "GET /work HTTP/1.1~Origin: http://a.example~~|403|--allow-origin",
        "GET /work HTTP/1.1~Connection: close~Content-Length: 100000~~|413|",
      })
  void shouldAnswerOtherRequestsAsHttpDoes(String request, int status, String why)
      throws Exception {
    serve();
    try (Socket socket = open(request.replace("~", "\r\n"))) {
      String head = head(socket);
      assertThat(head).startsWith("HTTP/1.1 " + status + " ");
      if (status == 426) {
        assertThat(head).contains("sec-websocket-version: 13");
      }
      String body = new String(socket.getInputStream().readNBytes(200), StandardCharsets.UTF_8);
      assertThat(body).contains(why == null ? "" : why);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://a.example,127.0.0.1:9,403",
    "https://ALLOWED.example,127.0.0.1:9,101",
    "https://allowed.example.evil.example,127.0.0.1:9,403",
    "http://allowed.example,127.0.0.1:9,403",
    "null,127.0.0.1:9,403",
    "http://127.0.0.1:9,127.0.0.1:9,101",
    "http://localhost:9,localhost:9,101",
    "http://[::1]:9,[::1]:9,101",
    "http://localhost:8,localhost:9,403",
    // A name that its owner has lead to this machine.
    "http://evil.example:9,evil.example:9,403",
    "http://127.0.0.1.evil.example:9,127.0.0.1.evil.example:9,403",
    "http://1.evil:9,1.evil:9,403",
    "file://,127.0.0.1:9,403",
  })
  void shouldLetNoPageOfAnotherSiteConnect(String origin, String host, int status)
      throws Exception {
    serve();
    String request =
        handshake("Origin: " + origin + "\r\n").replace("Host: 127.0.0.1", "Host: " + host);
    try (Socket socket = open(request)) {
      assertThat(head(socket)).startsWith("HTTP/1.1 " + status + " ");
    }
  }

  @Test
  void shouldRefuseARequestWithTwoOriginsOneOfWhichMayConnect() throws Exception {
    serve();
    String origins = "Origin: https://allowed.example\r\nOrigin: https://evil.example\r\n";
    try (Socket socket = open(handshake(origins))) {
      assertThat(head(socket)).startsWith("HTTP/1.1 403 ");
    }
  }

  @Test
  void shouldAskForTheToken() throws Exception {
    serve(10, Optional.of(TOKEN), WorkGatewayConfig.PING_INTERVAL);
    assertRefused(401);
    assertRefused(401, "Authorization", "Bearer " + TOKEN + "x");
    assertRefused(401, "Authorization", TOKEN);
    connect("?queue=in", "Authorization", "Bearer " + TOKEN);
  }

  private void assertRefused(int status, String... headers) {
    assertThatThrownBy(() -> Program.connect(server.url() + "?queue=in", headers))
        .cause()
        .isInstanceOfSatisfying(
            WebSocketHandshakeException.class,
            e -> assertThat(e.getResponse().statusCode()).isEqualTo(status));
  }

  @Test
  void shouldServeAsManyProgramsAsItMay() throws Exception {
    serve(2, Optional.empty(), WorkGatewayConfig.PING_INTERVAL);
    Program first = connect();
    connect();
    assertRefused(503);
    first.close();
    first.awaitClosed();
    // Its place is free once its thread has ended, right after that.
    await(
        () -> {
          try {
            connect();
            return true;
          } catch (Exception e) {
            return false;
          }
        });
  }

  @Test
  void shouldHangUpOnWhoeverDoesNotAnswerAPingUnlessItWorks() throws Exception {
    serve(10, Optional.empty(), SHORT_PING_INTERVAL);
    insert("1");
    try (Socket busy = openSession()) {
      awaitFrame(busy, "doWork");
      Program idle = connect();
      try (Socket silent = openSession()) {
        assertThat(frame(silent)).isEqualTo(PING);
        assertThat(frame(silent)).isEqualTo("close 1000");
      }
      for (int i = 0; i < 2; i++) {
        assertThat(frame(busy)).as("a proxy may want to see something").isEqualTo(PING);
      }
      assertThat(tasks("in").get(0).claimant()).isNotEmpty();
      await(() -> idle.pings() >= 2);
      insert("2");
      idle.receive("doWork");
    }
  }

  @Test
  void shouldNotWaitForWhoeverHangsUpAndDoesNotRead() throws Exception {
    serve();
    Socket silent = openSession();
    // More answers than the buffers of both sides hold.
    String ping = "89fd00000000" + "00".repeat(125);
    byte[] pings = HexFormat.of().parseHex(ping.repeat(1_000));
    for (int i = 0; i < 120; i++) {
      silent.getOutputStream().write(pings);
    }
    silent.getOutputStream().write(HexFormat.of().parseHex("888000000000"));
    await(() -> server.openConnections() == 0);
  }

  @Test
  void shouldHangUpOnWhoeverDoesNotCompleteItsRequest() throws Exception {
    Duration requestTime = Duration.ofSeconds(2);
    serve(10, Optional.empty(), requestTime, WorkGatewayConfig.PING_INTERVAL);
    try (Socket session = openSession();
        Socket silent = open("");
        Socket trickling = open("GET /work?")) {
      silent.setSoTimeout(1);
      trickling.setSoTimeout(1);
      await(() -> isClosed(silent, "") && isClosed(trickling, "x"));
      insert("1");
      awaitFrame(session, "doWork");
    }
  }

  /** Whether the other side has closed it, which this sends to. */
  private static boolean isClosed(Socket socket, String next) {
    try {
      socket.getOutputStream().write(next.getBytes(StandardCharsets.ISO_8859_1));
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      // It was closed before it had read all.
      return true;
    }
  }

  @Test
  void shouldFinishTheTasksOfAllWhenItCloses() throws Exception {
    serve();
    Program idle = connect();
    insert("1");
    Program busy = connect("?queue=in&success=1");
    // Whichever of them claimed it.
    await(() -> idle.hasMessage() || busy.hasMessage());
    Program worker = idle.hasMessage() ? idle : busy;
    Program other = worker == idle ? busy : idle;
    worker.receive("doWork");
    String url = server.url();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
    assertThat(other.awaitClosed()).isEqualTo(new Program.Closed(1000, ""));
    await(() -> !server.isRunning());
    assertThatThrownBy(() -> Program.connect(url)).isNotNull();
    assertThat(closed).isNotDone();
    worker.acknowledge();
    if (worker == busy) {
      worker.receive("success");
      worker.send("{\"type\":\"done\"}");
    }
    assertThat(worker.awaitClosed()).isEqualTo(new Program.Closed(1000, ""));
    closed.join();
    assertThat(tasks("in")).isEmpty();
  }

  @Test
  void shouldSayThatASessionHasFailedWithAnError() throws Exception {
    WorkGatewayConfig failing =
        config(
            queues -> {
              throw new StackOverflowError("planned");
            });
    server = WorkGatewayServer.start(queue, failing);
    // More than may be connected at a time: each gives its place back.
    for (int i = 0; i <= failing.connectionsMax(); i++) {
      Program program = Program.connect(server.url());
      programs.add(program);
      assertThat(program.awaitClosed())
          .isEqualTo(new Program.Closed(1011, "the work gateway has failed"));
      program.vanish();
      await(() -> server.openConnections() == 0);
    }
    assertThat(server.isRunning()).isTrue();
  }

  @Test
  void shouldEndWithTheQueue() throws Exception {
    serve();
    Program program = connect();
    queue.close();
    program.receive("error");
    assertThat(program.awaitClosed()).isEqualTo(new Program.Closed(1011, "the queue was closed"));
    await(() -> !server.isRunning());
  }

  @Test
  void shouldSayWhyItCannotListen() throws Exception {
    serve();
    InetSocketAddress taken =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort());
    WorkGatewayConfig standard = config(WorkGatewayServerTest::gateway);
    assertThatThrownBy(
            () ->
                WorkGatewayServer.start(
                    queue,
                    new WorkGatewayConfig(
                        taken,
                        standard.queues(),
                        standard.defaults(),
                        1,
                        MESSAGE_BYTES_MAX,
                        Optional.empty(),
                        Set.of(),
                        WorkGatewayConfig.REQUEST_TIME,
                        WorkGatewayConfig.PING_INTERVAL)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cannot listen on ");
  }
}
