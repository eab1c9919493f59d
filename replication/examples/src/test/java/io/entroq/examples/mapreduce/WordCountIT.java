package io.entroq.examples.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.worker.Worker;
import io.entroq.examples.mapreduce.text.WordCounts;
import io.entroq.examples.testing.Served;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
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
import org.junit.jupiter.api.io.TempDir;

class WordCountIT {
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
    Path root = Files.createDirectories(directory.resolve("many"));
    Files.writeString(root.resolve("words.txt"), text(counted));
    Job job = WordCount.plan(queue, root);
    assertThat(job.chunks()).isGreaterThan(4);

    // It is alone at first, so it is certain to hold a chunk and the coordination.
    Process first = start(DoomedWorker.class, "map");
    awaitHolding(first);
    assertThat(claimed())
        .containsEntry(Stage.MAP.queue(), 1L)
        .containsEntry(Stage.COORDINATE.queue(), 1L);
    // Works on chunks until it claims a partition.
    Process second = start(DoomedWorker.class, "reduce");
    kill(first);
    awaitHolding(second);
    start(CountWorker.class);
    start(CountWorker.class);
    kill(second);

    WordCounts result = WordCount.await(queue);
    Map<String, Long> byWord = new TreeMap<>();
    result.entries().forEach(entry -> byWord.put(entry.getKey(), entry.getValue()));
    assertThat(byWord).isEqualTo(counted);
    assertThat(queue.queues(QueueQuery.startingWith(Queues.PREFIX))).isEmpty();
  }

  @Test
  void shouldCountOnceAtATime() throws Exception {
    Path root = Files.createDirectories(directory.resolve("few"));
    Files.writeString(root.resolve("words.txt"), "one one two");
    Job job = WordCount.plan(queue, root);
    assertThatThrownBy(() -> WordCount.plan(queue, root))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("few is under way");

    try (Worker shared = CountWorker.shared(queue, new StageHandler(job), LEASE);
        Worker coordinator = CountWorker.coordinator(queue, job, LEASE)) {
      WordCount.main(new String[] {served.address()});
      assertThat(List.of(shared, coordinator)).allMatch(Worker::isRunning);
    }
    assertThat(queue.queues(QueueQuery.startingWith(Queues.PREFIX))).isEmpty();
  }

  private Map<String, Long> claimed() {
    Map<String, Long> claimed = new TreeMap<>();
    queue
        .queueStats(QueueQuery.startingWith(Queues.PREFIX))
        .forEach((name, stats) -> claimed.put(name, stats.claimed()));
    return claimed;
  }

  private Process start(Class<?> main, String... more) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m"));
    command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(served.address(), LEASE.toString()));
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

  /** A text with some frequent words, and the count of each word. */
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
