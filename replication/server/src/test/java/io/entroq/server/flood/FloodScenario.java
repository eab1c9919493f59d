package io.entroq.server.flood;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.published.v1.ClaimRequest;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.server.cli.ServerProcess;
import io.entroq.service.grpc.WireClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.HdrHistogram.Histogram;

/**
 * Floods both ports of a server with a small heap, by one to three flooders that reconnect when
 * they are cut. Memory stays bounded, no buffer leaks, and others are served meanwhile and
 * afterwards.
 *
 * <p>A few kinds of flood run by default, chosen at random, and all of them with {@code -Plong}.
 * With {@code -Dentroq.flood.seconds=3600 -Dtest.fork.timeout=7200 -Dit.forks=1} all of them run in
 * random order for that long, half of it in each of {@link FloodIT} and {@link SecureFloodIT}, one
 * after the other. {@code -Dtest.seed} repeats a run's choices.
 */
final class FloodScenario {
  private static final long SECONDS = Long.getLong("entroq.flood.seconds", 0);
  private static final long SEED = Long.getLong("test.seed", new SplittableRandom().nextLong());
  private static final Duration SHORT = Duration.ofMillis(60);
  private static final Duration LONG = Duration.ofSeconds(3);
  private static final Duration UNTIL_CUT = Duration.ofSeconds(30);
  private static final int FLOODERS_MAX = 3;

  /** How many kinds run by default. */
  static final int FEW = 4;

  static final int ALL = Integer.MAX_VALUE;
  private static final long PACE_NS = TimeUnit.MILLISECONDS.toNanos(1);
  static final String TOKEN = "Bearer token";
  private static final double MILLION = 1e6;

  /**
   * By how much the median and the slowest may be slower besides. Those who flood have this machine
   * do as much as the server does, and of few calls one always meets something else.
   */
  private static final double SLACK_P50_MS = 400;

  private static final double SLACK_P99_MS = 20_000;
  private static final int RATIO_MAX = 4;
  private static final long LIVE_BYTES_GROWTH_MAX = 32 << 20;

  static final List<String> JVM =
      List.of(
          "-Xmx256m",
          "-XX:MaxDirectMemorySize=256m",
          "-XX:+ExitOnOutOfMemoryError",
          "-Dio.netty.leakDetection.level=paranoid",
          "-Dio.grpc.netty.shaded.io.netty.leakDetection.level=paranoid");

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final List<String> report = new ArrayList<>();
  private final ServerProcess server;
  private final Optional<SSLContext> tls;
  private final Runnable afterCalls;
  private final WireClient client;
  private final HttpClient httpClient;

  /** How long calls took, in nanoseconds. */
  private static final class Taken {
    final Histogram before = new Histogram(3);
    final Histogram during = new Histogram(3);
  }

  /**
   * @param tls of the server's ports; empty if they are plain
   * @param client of its gRPC port, closed at the end
   * @param afterCalls runs after each series of calls
   */
  FloodScenario(
      ServerProcess server, Optional<SSLContext> tls, WireClient client, Runnable afterCalls) {
    this.server = server;
    this.tls = tls;
    this.client = client;
    this.afterCalls = afterCalls;
    HttpClient.Builder http = HttpClient.newBuilder();
    tls.ifPresent(http::sslContext);
    httpClient = http.build();
  }

  /**
   * @param kindsMax how many kinds of flood run, unless they run for a time
   */
  void run(int kindsMax) throws Exception {
    try {
      List<Flood> floods = Flood.all(SEED);
      int kinds = SECONDS > 0 ? floods.size() : Math.min(kindsMax, floods.size());
      calls(SHORT, new Histogram(3), false);
      calls(SHORT, new Histogram(3), true);
      long liveBytes = liveBytes();
      Taken all = new Taken();
      long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS) / 2;
      do {
        Collections.shuffle(floods, new java.util.Random(random.nextLong()));
        for (Flood flood : floods.subList(0, kinds)) {
          step(flood, all);
          if (SECONDS > 0 && System.nanoTime() - endNs > 0) {
            break;
          }
        }
      } while (System.nanoTime() - endNs < 0);
      isAsBefore();
      long grown = liveBytes() - liveBytes;
      report.add("live bytes in the heap have grown by %,d".formatted(grown));
      System.out.println(
          "Floods, seed %d, TLS %s:%n%s"
              .formatted(SEED, tls.isPresent(), String.join(System.lineSeparator(), report)));
      assertThat(grown).as(said()).isLessThan(LIVE_BYTES_GROWTH_MAX);
      compare(all, said());
    } finally {
      client.close();
    }
  }

  private String said() {
    return "seed %d%n%s%n%s"
        .formatted(SEED, String.join(System.lineSeparator(), report), server.errors());
  }

  private void step(Flood flood, Taken all) throws Exception {
    Duration time = SECONDS > 0 ? LONG : SHORT;
    int count = random.nextInt(1, FLOODERS_MAX + 1);
    int port = flood.isHttp() ? server.httpPort() : server.port();
    Taken own = new Taken();
    boolean isHttp = flood.isHttp();
    calls(time, own.before, isHttp);
    long bytes;
    int cut;
    try (Flooding flooding = new Flooding(flood, count, port, tls)) {
      calls(time, own.during, isHttp);
      long endNs = System.nanoTime() + UNTIL_CUT.toNanos();
      while (flood.isCut() && flooding.cut() == 0) {
        assertThat(System.nanoTime() - endNs)
            .as(() -> flood.name() + " is not cut, " + said())
            .isNegative();
        LockSupport.parkNanos(PACE_NS);
      }
      bytes = flooding.bytes();
      cut = flooding.cut();
    }
    report.add(
        "%-20s x%d: p50 %.1f -> %.1f ms, p99 %.1f -> %.1f ms, %,d bytes, cut %,d times"
            .formatted(
                flood.name(),
                count,
                ms(own.before, 50),
                ms(own.during, 50),
                ms(own.before, 99),
                ms(own.during, 99),
                bytes,
                cut));
    all.before.add(own.before);
    all.during.add(own.during);
    assertThat(server.isAlive()).as(() -> flood.name() + " has ended it, " + said()).isTrue();
    assertThat(server.errors()).as(() -> flood.name()).doesNotContain("LEAK", "OutOfMemory");
  }

  private static void compare(Taken taken, String said) {
    assertThat(ms(taken.during, 50))
        .as(said)
        .isLessThan(RATIO_MAX * ms(taken.before, 50) + SLACK_P50_MS);
    assertThat(ms(taken.during, 99))
        .as(said)
        .isLessThan(RATIO_MAX * ms(taken.before, 99) + SLACK_P99_MS);
  }

  private static double ms(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / MILLION;
  }

  /** Somebody asks again and again, and waits for each answer. */
  private void calls(Duration time, Histogram taken, boolean isHttp) throws Exception {
    long endNs = System.nanoTime() + time.toNanos();
    while (System.nanoTime() - endNs < 0) {
      long beginNs = System.nanoTime();
      if (isHttp) {
        get();
      } else {
        tryClaim();
      }
      taken.recordValue(System.nanoTime() - beginNs);
      LockSupport.parkNanos(PACE_NS);
    }
    afterCalls.run();
  }

  private void tryClaim() {
    assertThat(
            client
                .call(
                    "api.EntroQ/TryClaim",
                    ClaimRequest.newBuilder().setClaimantId("c").addQueues("q").build(),
                    ClaimResponse.getDefaultInstance())
                .hasTask())
        .isFalse();
  }

  private void get() throws IOException, InterruptedException {
    HttpResponse<String> response =
        httpClient.send(
            HttpRequest.newBuilder(
                    URI.create(
                        "%s://localhost:%d/api/v0/time"
                            .formatted(tls.isPresent() ? "https" : "http", server.httpPort())))
                .version(HttpClient.Version.HTTP_1_1)
                .header("Authorization", TOKEN)
                .timeout(UNTIL_CUT)
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
  }

  private void isAsBefore() throws Exception {
    tryClaim();
    get();
    // What has leaked is told of when it is collected and something else is allocated.
    liveBytes();
    tryClaim();
    get();
    assertThat(server.errors()).doesNotContain("LEAK", "OutOfMemory");
  }

  /** How many bytes there are in its heap that somebody still needs. */
  private long liveBytes() throws IOException, InterruptedException {
    Process histogram =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(server.pid()),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String said =
        new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(histogram.waitFor()).as(said).isZero();
    String[] total = said.substring(said.lastIndexOf("Total")).split("\\s+");
    return Long.parseLong(total[2]);
  }
}
