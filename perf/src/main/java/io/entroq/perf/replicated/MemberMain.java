package io.entroq.perf.replicated;

import io.entroq.api.Durability;
import io.entroq.cluster.member.Liveness;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.cluster.member.MemberStatus;
import io.entroq.cluster.member.ProcessPriority;
import io.entroq.perf.fixture.Backlog;
import io.entroq.perf.process.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The process of a member that is measured. It executes the command in each line of its input and
 * answers with a line. It exits when its input ends.
 */
final class MemberMain {
  /** Begins an answer. */
  static final String ANSWER = "= ";

  private final Hosted hosted;
  private Optional<LongestCall> longest = Optional.empty();

  private MemberMain(Hosted hosted) {
    this.hosted = hosted;
  }

  /**
   * Hosts a member.
   *
   * @param args {@code queue} or {@code echo}, its number, its directory, whether it starts for the
   *     first time, its durability, the heartbeat timeout in milliseconds (0: the default), and the
   *     first port of each member
   */
  public static void main(String[] args) throws IOException {
    ProcessPriority.raise();
    MemberConfig config = config(args);
    Hosted hosted = args[0].equals("echo") ? new HostedEcho(config) : new HostedQueue(config);
    System.out.println(ANSWER + "ready");
    MemberMain main = new MemberMain(hosted);
    BlockingQueue<String> commands = new LinkedBlockingQueue<>();
    Thread serving = new Thread(() -> main.serve(commands), "commands");
    serving.setDaemon(true);
    serving.start();
    listen(commands);
    // The measuring process is gone: exit at once.
    Runtime.getRuntime().halt(0);
  }

  static MemberConfig config(String[] args) {
    List<MemberAddress> members =
        Arrays.stream(args, 6, args.length)
            .map(port -> MemberAddress.of("127.0.0.1", Integer.parseInt(port)))
            .toList();
    MemberConfig.Builder config =
        MemberConfig.of(Integer.parseInt(args[1]), members, Path.of(args[2]))
            .bootstrap(Boolean.parseBoolean(args[3]))
            .durability(Durability.valueOf(args[4]));
    int heartbeatMs = Integer.parseInt(args[5]);
    if (heartbeatMs > 0) {
      config.liveness(Liveness.withHeartbeatTimeout(Duration.ofMillis(heartbeatMs)));
    }
    return config.build();
  }

  private static void listen(BlockingQueue<String> commands) throws IOException {
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        commands.add(line);
      }
    }
  }

  private void serve(BlockingQueue<String> commands) {
    try {
      while (true) {
        answer(commands.take());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void answer(String line) {
    try {
      System.out.println(ANSWER + answer(line.split(" ", -1)));
    } catch (RuntimeException e) {
      e.printStackTrace();
      System.out.println(JavaProcess.FAILURE + e);
    }
  }

  private String answer(String[] words) {
    return switch (words[0]) {
      case "status" -> status();
      case "compiled" ->
          Long.toString(ManagementFactory.getCompilationMXBean().getTotalCompilationTime());
      case "alone" -> hosted.alone(millis(words[1]), number(words[2])).line();
      case "flood" -> hosted.flood(number(words[3]), millis(words[1]), number(words[2])).line();
      case "batches" -> hosted.batches(number(words[3]), millis(words[1]), number(words[2])).line();
      case "commit" -> commit();
      case "fill" -> fill(number(words[1]), number(words[2]));
      case "snapshot" -> Boolean.toString(((HostedQueue) hosted).takeSnapshot());
      case "watch" -> watch();
      case "watched" -> Long.toString(watched());
      case "close" -> close();
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  private static Duration millis(String word) {
    return Duration.ofMillis(number(word));
  }

  private static int number(String word) {
    return Integer.parseInt(word);
  }

  private String status() {
    MemberStatus status = hosted.status();
    return "%s %s %d %d %d"
        .formatted(
            status.role(),
            status.election(),
            status.termId(),
            status.commitPosition(),
            status.snapshots());
  }

  private String commit() {
    hosted.commit();
    return "committed";
  }

  private String fill(int tasks, int bytes) {
    new Backlog(((HostedQueue) hosted).queue(), "backlog", bytes).growTo(tasks);
    return "filled";
  }

  private String watch() {
    longest = Optional.of(LongestCall.begin(hosted));
    return "watching";
  }

  private long watched() {
    return longest.orElseThrow().end();
  }

  private String close() {
    hosted.close();
    return "closed";
  }
}
