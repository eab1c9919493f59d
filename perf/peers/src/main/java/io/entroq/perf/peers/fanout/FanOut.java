package io.entroq.perf.peers.fanout;

import io.entroq.engine.JvmFlags;
import io.entroq.perf.peers.EntroQPeer;
import io.entroq.perf.peers.kafka.KafkaGroups;
import io.entroq.perf.peers.kafka.KafkaPeer;
import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Peer;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Shape;
import io.entroq.perf.peers.peer.Topic;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.Report;
import io.entroq.perf.report.Spread;
import io.entroq.perf.report.Table;
import io.entroq.tools.terminal.OptionRange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures a topic each of whose groups gets every message, in batches: in EntroQ, and in Kafka
 * with share groups and with consumer groups, in turns. Only the one whose turn it is uses the
 * processors.
 */
@Command(
    name = "FanOut",
    description = "Measures topics with groups, of EntroQ and of Kafka, in turns.")
public final class FanOut extends BenchmarkCommand {
  @Option(names = "--groups", description = "Groups of the topic (${DEFAULT-VALUE}).")
  private int groups = 5;

  @Option(names = "--batches", description = "Batches of 100 in a turn (${DEFAULT-VALUE}).")
  private int batches = 1_000;

  @Option(names = "--bytes", description = "Bytes of a value (${DEFAULT-VALUE}).")
  private int bytes = 128;

  @Option(names = "--rounds", description = "Turns of each (${DEFAULT-VALUE}).")
  private int rounds = 7;

  @Option(
      names = "--warm-up-rounds",
      description = "Turns of each before they count (${DEFAULT-VALUE}).")
  private int warmUpRounds = 3;

  @Option(names = "--class", description = "Durability class: os or disk (${DEFAULT-VALUE}).")
  private DurabilityClass durability = DurabilityClass.OS;

  @Option(
      names = "--dir",
      description = "Directory for the files; must be on a disk (${DEFAULT-VALUE}).")
  private Path directory = Path.of("perf", "peers", "target", "run");

  private final List<Peer> peers =
      List.of(
          new EntroQPeer(),
          new KafkaPeer("Kafka, share groups", KafkaGroups.SHARE, 1),
          new KafkaPeer("Kafka, consumer groups", KafkaGroups.CONSUMER, 1));
  private final Map<Peer, Server> servers = new LinkedHashMap<>();
  private final Map<Peer, List<Double>> rates = new LinkedHashMap<>();
  private int topics;

  private FanOut() {}

  public static void main(String[] args) {
    System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
    run(new FanOut(), args);
  }

  @Override
  protected void measure(Report report) throws Exception {
    OptionRange.require("--groups", groups, 1, 100);
    OptionRange.require("--batches", batches, 1, 1_000_000);
    OptionRange.require("--bytes", bytes, Integer.BYTES, 1 << 20);
    OptionRange.require("--rounds", rounds, 1, 1_000);
    OptionRange.require("--warm-up-rounds", warmUpRounds, 0, 1_000);
    JvmFlags.require();
    Path files = Files.createDirectories(directory.toAbsolutePath());
    Path scratch = Files.createTempDirectory(files, "fan-out");
    try {
      peers.forEach(peer -> rates.put(peer, new ArrayList<>()));
      for (int round = -warmUpRounds; round < rounds; round++) {
        round(round, scratch);
      }
    } finally {
      for (Server server : servers.values()) {
        server.close();
      }
      FileUtils.deleteQuietly(scratch.toFile());
    }
    print(report);
  }

  private void round(int round, Path scratch) throws Exception {
    List<Peer> turns = new ArrayList<>(peers);
    if (round % 2 == 0) {
      Collections.reverse(turns);
    }
    for (Peer peer : turns) {
      double rate = turn(peer, scratch);
      Report.note("round %d, %s: %,.0f deliveries/s", round, peer.name(), rate);
      if (round >= 0) {
        rates.get(peer).add(rate);
      }
    }
  }

  private double turn(Peer peer, Path scratch) throws Exception {
    Server server = servers.remove(peer);
    if (server == null) {
      Path data = Files.createDirectories(scratch.resolve("peer" + topics));
      server = peer.start(durability, data);
    } else {
      server.resume();
    }
    // A server that is closed between turns begins anew.
    servers.put(peer, server);
    double rate = rate(server);
    if (server.canPause()) {
      server.pause();
    } else {
      servers.remove(peer).close();
    }
    return rate;
  }

  private double rate(Server server) throws Exception {
    String name = "events" + ++topics;
    List<String> names = IntStream.range(0, groups).mapToObj(i -> name + "-group" + i).toList();
    try (Topic topic = server.createTopic(name, names)) {
      int batch = Shape.BATCH_100.batch();
      return new FanOutTurn(topic, names, batches * batch, batch, bytes).deliveriesPerSecond();
    }
  }

  private void print(Report report) {
    Table table = new Table("messages to groups, /s", "least", "median", "greatest", "ratio");
    List<Double> ofEntroQ = rates.get(peers.get(0));
    for (Peer peer : peers) {
      List<Double> all = rates.get(peer);
      Spread rate = Spread.of(all, each -> each);
      Spread ratio = Spread.ofRatios(ofEntroQ, all);
      table.row(peer.name(), rate, ratio.median());
      report
          .figure(peer.name() + ", deliveries/s", rate.toMap())
          .figure("EntroQ to " + peer.name(), ratio.toMap());
    }
    table.print();
  }
}
