package io.entroq.examples.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.codec.CodecException;
import io.entroq.api.worker.Worker;
import io.entroq.examples.testing.Served;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(90)
class WordCountIT {
  private static final CountQueues QUEUES = new CountQueues("test");
  private static final Duration LEASE = Duration.ofMillis(1_500);
  private static final int KILLED = 128 + 9;

  @TempDir static Path directory;

  private static Served served;
  private static EntroQ queue;

  private final List<Process> processes = new ArrayList<>();

  @BeforeAll
  static void serve() throws IOException {
    served = new Served(directory.resolve("data"));
    queue = served.connect();
  }

  @AfterAll
  static void stop() {
    queue.close();
    served.close();
  }

  @AfterEach
  void killAll() {
    processes.forEach(Process::destroyForcibly);
  }

  @Test
  void shouldCountEachWordOnceThoughProcessesAreKilled() throws Exception {
    SortedMap<String, Long> counted = new TreeMap<>();
    List<String> pieces = WordCount.pieces(text(counted), 4 << 10);
    WordCount.ask(queue, QUEUES, pieces);

    // Alone at first, so it holds a piece and the plan for certain.
    Process first = start(DoomedWorker.class, "map");
    awaitHolding(first);
    assertThat(claimed()).containsEntry(QUEUES.map(), 1L).containsEntry(QUEUES.plan(), 1L);
    // Waits for a part before the others do, so it gets one when there are any.
    Process second = start(DoomedWorker.class, "reduce");
    start(CountWorker.class);
    start(CountWorker.class);
    kill(first);
    awaitHolding(second);
    kill(second);

    Task result = queue.claim(Claim.from(QUEUES.result()));
    assertThat(Counts.CODEC.decode(result.value()).byWord()).isEqualTo(counted);
    queue.modify(Modification.delete(result)).orThrow();
    assertThat(queue.queues(QueueQuery.startingWith(QUEUES.prefix()))).isEmpty();
  }

  @Test
  void shouldBeginOnceUnderOneName() throws Exception {
    CountQueues other = new CountQueues("other");
    WordCount.ask(queue, other, List.of("one one two"));
    assertThatThrownBy(() -> WordCount.ask(queue, other, List.of("three")))
        .isInstanceOf(EntroQException.Dependency.class);

    try (Worker plan = CountWorker.start(queue, other.plan(), new PlanHandler(other), LEASE);
        Worker map = CountWorker.start(queue, other.map(), new MapHandler(other), LEASE);
        Worker reduce = CountWorker.start(queue, other.reduce(), new ReduceHandler(other), LEASE)) {
      WordCount.main(new String[] {served.address(), other.name()});
      assertThat(List.of(plan, map, reduce)).allMatch(Worker::isRunning);
    }
    assertThat(queue.queues(QueueQuery.startingWith(other.prefix()))).isEmpty();
  }

  @Test
  void shouldRefuseWhatIsNoCount() {
    assertThatThrownBy(() -> Counts.CODEC.decode(Value.text("word 1\nword")))
        .isInstanceOf(CodecException.class);
    assertThatThrownBy(() -> Counts.CODEC.decode(Value.text("word many")))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("word many");
  }

  private Map<String, Long> claimed() {
    Map<String, Long> claimed = new TreeMap<>();
    queue
        .queueStats(QueueQuery.startingWith(QUEUES.prefix()))
        .forEach((name, stats) -> claimed.put(name, stats.claimed()));
    return claimed;
  }

  private Process start(Class<?> main, String... more) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
    command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(served.address(), QUEUES.name(), LEASE.toString()));
    command.addAll(List.of(more));
    Path log = directory.resolve("worker-" + processes.size() + ".log");
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    processes.add(process);
    return process;
  }

  private static void awaitHolding(Process process) throws IOException {
    BufferedReader lines = process.inputReader();
    String line = lines.readLine();
    assertThat(line).startsWith(DoomedWorker.HOLDING);
  }

  private static void kill(Process process) throws InterruptedException {
    assertThat(process.destroyForcibly().waitFor()).isEqualTo(KILLED);
  }

  /** A text of words of which some are frequent, and how often each was put there. */
  private static String text(SortedMap<String, Long> counted) {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("WordCountIT: seed " + seed);
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 30_000; i++) {
      String word = "w" + (int) (500 * random.nextDouble() * random.nextDouble());
      text.append(i % 3 == 0 ? "W" : "w").append(word, 1, word.length());
      text.append(i % 10 == 9 ? ".\n" : ", ");
      counted.merge(word, 1L, Long::sum);
    }
    return text.toString();
  }
}
