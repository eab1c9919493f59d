package io.entroq.server.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.server.cli.ServerProcess;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What claims cost a server that wait on queues of their own, as its process has it. */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class ParkedClaimsIT {
  private static final int CONNECTIONS = 4;
  private static final long CLAIM_BYTES_MAX = 10 << 10;
  private static final Pattern TOTAL = Pattern.compile("(?m)^Total +\\d+ +(\\d+)");
  private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB");

  private final List<WireClient> clients = new ArrayList<>();
  private ServerProcess server;

  @BeforeEach
  void start() throws Exception {
    // A heap that is resident from the beginning, so that what is added is what lies outside.
    server = ServerProcess.start(List.of("-Xms192m", "-Xmx192m", "-XX:+AlwaysPreTouch"), 0);
    for (int i = 0; i < CONNECTIONS; i++) {
      clients.add(new WireClient(server.port()));
    }
  }

  @AfterEach
  void end() throws IOException {
    clients.forEach(WireClient::close);
    server.close();
  }

  @Test
  void shouldCostLittle() throws Exception {
    park(1_000, Duration.ofMillis(200), 200);
  }

  @Test
  @Tag("long")
  void shouldCostLittleHoweverManyThereAre() throws Exception {
    park(10_000, Duration.ofSeconds(5), 5_000);
  }

  private void park(int count, Duration idle, int cycles) throws Exception {
    // What is loaded and compiled once is no claim's.
    List<ListenableFuture<ClaimResponse>> first = claim("first", 200);
    first.forEach(claim -> claim.cancel(false));
    work(2 * cycles);
    Duration workAlone = processorTime(() -> work(cycles));
    long heapBefore = heapBytes();
    long residentBefore = residentBytes();

    List<ListenableFuture<ClaimResponse>> claims = claim("parked", count);

    long residentAfter = residentBytes();
    long heapAfter = heapBytes();
    Duration idling = processorTime(() -> TimeUnit.NANOSECONDS.sleep(idle.toNanos()));
    Duration workBeside = processorTime(() -> work(cycles));
    long heapEach = (heapAfter - heapBefore) / count;
    long outsideEach = (residentAfter - residentBefore) / count;
    System.out.printf(
        "%,d parked: %,d bytes of heap and %,d outside each; idle %d of %d ms; %,d cycles %d ms, %d"
            + " before%n",
        count,
        heapEach,
        outsideEach,
        idling.toMillis(),
        idle.toMillis(),
        cycles,
        workBeside.toMillis(),
        workAlone.toMillis());

    assertThat(heapEach + outsideEach).isLessThan(CLAIM_BYTES_MAX);
    // A tenth of a processor, and what the clock of processes cannot tell.
    assertThat(idling).isLessThan(idle.dividedBy(10).plusMillis(50));
    assertThat(workBeside).isLessThan(workAlone.multipliedBy(2).plusMillis(50));
    for (int i = 0; i < count; i += count / 10) {
      new V1(clients.get(0)).insert("parked " + i, "task " + i);
      assertThat(claims.get(i).get(30, TimeUnit.SECONDS).getTask().getId()).isEqualTo("task " + i);
    }
    assertThat(claims.stream().filter(ListenableFuture::isDone)).hasSize(10);
  }

  /** As many claims, each on a queue of its own, all of which wait when this returns. */
  private List<ListenableFuture<ClaimResponse>> claim(String prefix, int count) {
    List<ListenableFuture<ClaimResponse>> claims = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      V1 v1 = new V1(clients.get(i % CONNECTIONS));
      claims.add(v1.beginClaim(V1.claim("claimant " + i, prefix + " " + i).build()));
    }
    // What comes later over the same connection is done later.
    clients.forEach(client -> new V1(client).tryClaim("c", "nothing"));
    return claims;
  }

  /** Tasks that come, are claimed by one who waits for them, and go. */
  private void work(int cycles) throws Exception {
    V1 v1 = new V1(clients.get(0));
    for (int i = 0; i < cycles; i++) {
      ListenableFuture<ClaimResponse> claim = v1.beginClaim(V1.claim("worker", "work").build());
      v1.modify(ModifyRequest.newBuilder().setClaimantId("inserter").addInserts(V1.data("work")));
      v1.modify(
          ModifyRequest.newBuilder()
              .setClaimantId("worker")
              .addDeletes(V1.ref(claim.get(30, TimeUnit.SECONDS).getTask())));
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  /** What the server takes of its processors meanwhile. */
  private Duration processorTime(Work work) throws Exception {
    Duration before = processorTime();
    work.run();
    return processorTime().minus(before);
  }

  private Duration processorTime() {
    return ProcessHandle.of(server.pid()).orElseThrow().info().totalCpuDuration().orElseThrow();
  }

  /** What is alive on the heap. */
  private long heapBytes() throws Exception {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Process histogram =
        new ProcessBuilder(
                jcmd,
                "-J-XX:TieredStopAtLevel=1",
                Long.toString(server.pid()),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String said =
        new String(histogram.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    return first(TOTAL, said);
  }

  private long residentBytes() throws IOException {
    return first(RESIDENT, Files.readString(Path.of("/proc/" + server.pid() + "/status"))) << 10;
  }

  private static long first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return Long.parseLong(matcher.group(1));
  }
}
