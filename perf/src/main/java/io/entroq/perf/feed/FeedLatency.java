package io.entroq.perf.feed;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.Value;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedQuery;
import io.entroq.client.EntroQClient;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.perf.fixture.RateLimit;
import io.entroq.perf.fixture.ScratchDirectory;
import io.entroq.perf.report.BenchmarkCommand;
import io.entroq.perf.report.LatencyTable;
import io.entroq.perf.report.Report;
import io.entroq.perf.served.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures how long after the reply to an insert the feed shows it: of an embedded engine and of a
 * server in a process of its own, at a moderate rate and as fast as one caller inserts.
 */
@Command(
    name = "FeedLatency",
    description = "Measures how long after the reply to an insert the feed shows it.")
public final class FeedLatency extends BenchmarkCommand {
  private static final double UNLIMITED = 1e9;
  private static final String INBOX = "inbox";
  private static final String BEGIN = "begin";
  private static final Value VALUE = Value.bytes(new byte[128]);
  private static final Duration MOMENT = Duration.ofMillis(20);

  @Option(names = "--inserts", description = "Inserts that count, in each row (${DEFAULT-VALUE}).")
  private int inserts = 20_000;

  @Option(names = "--rate", description = "Moderate rate, inserts a second (${DEFAULT-VALUE}).")
  private int rate = 1_000;

  @Option(
      names = "--idle-readers",
      description = "Other readers that are open and take nothing (${DEFAULT-VALUE}).")
  private int idleReaders;

  @Mixin private final ScratchDirectory scratch = new ScratchDirectory();

  private FeedLatency() {}

  public static void main(String[] args) {
    run(new FeedLatency(), args);
  }

  @Override
  protected void measure(Report report) throws Exception {
    LatencyTable table = LatencyTable.inMillis(report);
    try (scratch) {
      try (EmbeddedEntroQ queue =
          EmbeddedEntroQ.open(EmbeddedConfig.in(scratch.resolve("embedded")).build())) {
        measure("embedded", queue, table);
      }
      try (ServerProcess server = ServerProcess.entroq(scratch.resolve("served"), "os");
          EntroQClient queue = EntroQClient.connect("127.0.0.1:" + server.port())) {
        measure("over gRPC", queue, table);
      }
    }
    table.print();
  }

  private void measure(String where, EntroQ queue, LatencyTable table) throws Exception {
    List<FeedIterator> idle = new ArrayList<>();
    for (int i = 0; i < idleReaders; i++) {
      idle.add(Feed.of(queue).iterator(FeedQuery.fromNow().build()));
    }
    measure(queue, UNLIMITED);
    table.add("%s, %,d a second".formatted(where, rate), measure(queue, rate));
    table.add(where + ", as fast as one caller inserts", measure(queue, UNLIMITED));
    idle.forEach(FeedIterator::close);
  }

  private Histogram measure(EntroQ queue, double perSecond) throws Exception {
    FeedQuery query = FeedQuery.fromNow().kinds(EffectKind.INSERTED).build();
    try (FeedIterator feed = Feed.of(queue).iterator(query)) {
      awaitBegin(queue, feed);
      long[] seenNs = new long[inserts];
      Thread reader = new Thread(() -> read(feed, seenNs), "reader");
      reader.start();
      long[] repliedNs = insert(queue, perSecond);
      reader.join();
      Histogram late = LatencyTable.histogram();
      for (int i = 0; i < inserts; i++) {
        late.recordValue(Math.max(0, seenNs[i] - repliedNs[i]));
      }
      return late;
    }
  }

  /** Inserts elsewhere until the feed has begun. */
  private static void awaitBegin(EntroQ queue, FeedIterator feed) throws InterruptedException {
    do {
      insert(queue, BEGIN);
    } while (feed.next(MOMENT).isEmpty());
  }

  private static void insert(EntroQ queue, String name) {
    queue.modify(Modification.insert(name, VALUE)).orThrow();
  }

  private long[] insert(EntroQ queue, double perSecond) {
    RateLimit limit = new RateLimit(perSecond);
    long[] repliedNs = new long[inserts];
    for (int i = 0; i < inserts; i++) {
      limit.await(1);
      insert(queue, INBOX);
      repliedNs[i] = System.nanoTime();
    }
    return repliedNs;
  }

  private static void read(FeedIterator feed, long[] seenNs) {
    try {
      for (int i = 0; i < seenNs.length; i++) {
        Effect effect = feed.next().orElseThrow();
        while (!effect.task().orElseThrow().queue().equals(INBOX)) {
          effect = feed.next().orElseThrow();
        }
        seenNs[i] = System.nanoTime();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
