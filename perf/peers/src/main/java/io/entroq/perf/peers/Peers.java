package io.entroq.perf.peers;

import io.entroq.engine.JvmFlags;
import io.entroq.perf.peers.artemis.ArtemisPeer;
import io.entroq.perf.peers.beanstalkd.BeanstalkdPeer;
import io.entroq.perf.peers.kafka.KafkaPeer;
import io.entroq.perf.peers.nats.NatsPeer;
import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.postgres.PostgresPeer;
import io.entroq.perf.peers.rabbitmq.RabbitPeer;
import io.entroq.perf.peers.redis.RedisPeer;
import io.entroq.perf.peers.report.PeerReport;
import io.entroq.perf.peers.run.Plan;
import io.entroq.perf.peers.run.Result;
import io.entroq.perf.peers.run.Runner;
import io.entroq.perf.peers.run.Timing;
import io.entroq.perf.peers.sqlite.SqlitePeer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures EntroQ and other task queues in turns, by the same cycle of a task. */
@Command(
    name = "peers",
    description = {
      "Starts other task queues, and measures them and EntroQ for the JVM in turns, by the same cycle"
          + " of a task (insert, claim, commit). It checks that every task is committed exactly"
          + " once.",
      "",
      "Durability classes are never mixed: memory (nothing promised), os (written), disk (forced).",
      ""
    },
    footer = {
      "",
      "Example, a few seconds:",
      "  java -jar perf/peers/target/peers.jar --peers entroq,sqlite --rounds 1 --seconds 0.5"
          + " --out /tmp/figures"
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class Peers implements Callable<Integer> {
  private static final double MS_PER_SECOND = 1_000;

  /** In the order of tables. */
  private static final List<Peer> SINGLE =
      List.of(
          new EntroQPeer(),
          new SqlitePeer(),
          new PostgresPeer(),
          new RedisPeer(),
          new BeanstalkdPeer(),
          new ArtemisPeer(),
          new KafkaPeer(1),
          new RabbitPeer(1),
          new NatsPeer(1));

  private static final int REPLICAS = 3;

  private static final List<Peer> REPLICATED =
      List.of(
          new EntroQClusterPeer(REPLICAS),
          new KafkaPeer(REPLICAS),
          new RabbitPeer(REPLICAS),
          new NatsPeer(REPLICAS));

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description =
          "1: single nodes; 3: clusters of three, each node with a copy of every task"
              + " (${DEFAULT-VALUE}).")
  private int replicas = 1;

  @Option(
      names = "--peers",
      split = ",",
      paramLabel = "PEER",
      description = "The peers to measure. Default: all; see --list.")
  private List<String> peers = new ArrayList<>();

  @Option(
      names = "--classes",
      split = ",",
      paramLabel = "CLASS",
      description = "Durability classes: memory, os, disk (${DEFAULT-VALUE}).")
  private List<String> classes = names(Arrays.asList(DurabilityClass.values()), Object::toString);

  @Option(
      names = "--shapes",
      split = ",",
      paramLabel = "SHAPE",
      description =
          "sync1: one caller; sync32: 32 callers, each one task at a time; batch: 8 callers,"
              + " batches of 100 (${DEFAULT-VALUE}).")
  private List<String> shapes = names(Shape.ALL, Shape::name);

  @Option(
      names = "--rounds",
      description = "Measurements of each peer and shape (${DEFAULT-VALUE}).")
  private int rounds = 5;

  @Option(names = "--seconds", description = "Seconds of a measurement (${DEFAULT-VALUE}).")
  private double seconds = 2;

  @Option(
      names = "--warm-up",
      description = "Seconds of warm-up before each measurement (${DEFAULT-VALUE}).")
  private double warmUpSeconds = 0.5;

  @Option(
      names = "--first-warm-up",
      description =
          "The most seconds of warm-up before the first round of each peer and shape"
              + " (${DEFAULT-VALUE}). It ends when the peer gets no faster.")
  private double firstWarmUpSeconds = 3;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Directory for tables and plots (${DEFAULT-VALUE}).")
  private Path out = Path.of("perf", "figures");

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Directory for the files of peers; must be on a disk, not in memory (${DEFAULT-VALUE}).")
  private Path directory = Path.of("perf", "peers", "target", "run");

  @Option(names = "--list", description = "Lists the peers, and whether they can be measured here.")
  private boolean isListing;

  @Spec private CommandSpec spec;

  private Peers() {}

  public static void main(String[] args) {
    // EntroQ's server brings another one, which does not know the properties below.
    System.setProperty("slf4j.provider", "org.slf4j.simple.SimpleServiceProvider");
    System.setProperty("slf4j.internal.verbosity", "WARN");
    // The clients of peers log too much.
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    // It would log that its server was stopped.
    System.setProperty("org.slf4j.simpleLogger.log.io.zonky", "off");
    System.exit(commandLine().execute(args));
  }

  /** The command, which reports failures without a stack trace. */
  static CommandLine commandLine() {
    return new CommandLine(new Peers())
        .setExecutionExceptionHandler(
            (e, command, parsed) -> {
              command.getErr().println(e.getMessage() == null ? e.toString() : e.getMessage());
              return 1;
            });
  }

  @Override
  public Integer call() throws Exception {
    checkSizes();
    List<Peer> chosen =
        chosen("--peers", peers, replicas == REPLICAS ? REPLICATED : SINGLE, Peer::id);
    if (isListing) {
      chosen.forEach(
          peer -> print("%-12s %s%n".formatted(peer.id(), peer.absence().orElse(peer.name()))));
      return 0;
    }
    JvmFlags.require();
    Path files = Files.createDirectories(directory.toAbsolutePath());
    Path scratch = Files.createTempDirectory(files, "peers");
    try {
      run(chosen, scratch);
    } finally {
      FileUtils.deleteQuietly(scratch.toFile());
    }
    return 0;
  }

  private void run(List<Peer> chosen, Path scratch) throws Exception {
    List<Peer> present = chosen.stream().filter(peer -> peer.absence().isEmpty()).toList();
    Plan plan =
        new Plan(
            replicas,
            present,
            chosen("--classes", classes, List.of(DurabilityClass.values()), Object::toString)
                .stream()
                .filter(
                    durability ->
                        present.stream().anyMatch(peer -> peer.durabilities().contains(durability)))
                .toList(),
            chosen("--shapes", shapes, Shape.ALL, Shape::name),
            rounds,
            new Timing(duration(warmUpSeconds), duration(seconds), Duration.ofSeconds(5)),
            duration(firstWarmUpSeconds),
            scratch);
    PeerReport report = new PeerReport(plan, chosen);
    ProgressLines progress = new ProgressLines(System.err, plan.measurements());
    try (Runner runner = new Runner(plan, progress);
        ShutdownHook hook = new ShutdownHook(() -> end(runner, scratch))) {
      List<Result> results = runner.run();
      if (!hook.isRequested()) {
        report.write(results, runner.versions(), Files.createDirectories(out));
        print(report.markdown(results, runner.versions()));
      }
    }
  }

  private static void end(Runner runner, Path scratch) {
    runner.end();
    FileUtils.deleteQuietly(scratch.toFile());
  }

  private void checkSizes() {
    if (replicas != 1 && replicas != REPLICAS) {
      throw new ParameterException(spec.commandLine(), "--replicas must be 1 or " + REPLICAS);
    }
    if (rounds < 1 || seconds <= 0 || warmUpSeconds < 0 || firstWarmUpSeconds < 0) {
      throw new ParameterException(
          spec.commandLine(), "--rounds must be 1 or more, --seconds above 0, warm-ups 0 or more");
    }
  }

  private void print(String text) {
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
  }

  private static Duration duration(double seconds) {
    return Duration.ofMillis(Math.round(seconds * MS_PER_SECOND));
  }

  private static <T> List<String> names(List<T> values, Function<T, String> name) {
    return values.stream().map(name).toList();
  }

  private <T> List<T> chosen(
      String option, List<String> given, List<T> all, Function<T, String> name) {
    List<String> unknown = new ArrayList<>(given);
    unknown.removeAll(names(all, name));
    if (!unknown.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "%s does not know %s; choose from %s"
              .formatted(
                  option,
                  String.join(", ", unknown),
                  all.stream().map(name).collect(Collectors.joining(", "))));
    }
    return all.stream()
        .filter(value -> given.isEmpty() || given.contains(name.apply(value)))
        .toList();
  }
}
