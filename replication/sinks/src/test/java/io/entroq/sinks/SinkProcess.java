package io.entroq.sinks;

import io.entroq.api.EntroQ;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Copies the feed of a server from its begin, until it is killed. Prints a line for each batch. */
final class SinkProcess {
  private SinkProcess() {}

  /**
   * @param args the address of the server; then the URL of a database or the address of Kafka; then
   *     the name of the sink or topic
   */
  public static void main(String[] args) throws InterruptedException {
    FeedSink sink =
        args[1].startsWith("jdbc:")
            ? JdbcSink.ofBoth(() -> DriverManager.getConnection(args[1]), args[2])
            : new KafkaSink(Map.of("bootstrap.servers", args[1]), args[2]);
    try (EntroQ queue = EntroQ.connect(args[0])) {
      FeedQuery query = FeedQuery.after(JdbcSinkTests.BEGIN).withValues().build();
      new SinkRunner(queue, query, new TellingSink(sink)).run();
    }
  }

  static Process start(Path log, String... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                SinkProcess.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
        .start();
  }

  /** Prints a line when a batch is kept. */
  private record TellingSink(FeedSink sink) implements FeedSink {
    @Override
    public Optional<FeedPosition> open(FeedQuery query) {
      return sink.open(query);
    }

    @Override
    public void beginState() {
      sink.beginState();
    }

    @Override
    public void apply(SinkBatch batch) {
      sink.apply(batch);
      System.out.println("copied " + batch.effects().size());
    }

    @Override
    public boolean canBeginAgain() {
      return sink.canBeginAgain();
    }

    @Override
    public void close() {
      sink.close();
    }
  }
}
