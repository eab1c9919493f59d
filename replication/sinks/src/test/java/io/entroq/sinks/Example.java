package io.entroq.sinks;

import io.entroq.api.EntroQ;
import io.entroq.api.feed.FeedQuery;
import javax.sql.DataSource;

/** What the page shows. */
final class Example {
  private Example() {}

  static void copyTo(DataSource dataSource) throws InterruptedException {
    try (EntroQ queue = EntroQ.connect("localhost:37706")) {
      FeedSink sink = JdbcSink.ofTasks(dataSource::getConnection, "inbox");
      FeedQuery query = FeedQuery.fromSnapshot().queues("inbox").withValues().build();
      SinkRunner runner = new SinkRunner(queue, query, sink).beginAgainIfNeeded();
      Runtime.getRuntime().addShutdownHook(new Thread(runner::stop));
      runner.run();
    }
  }
}
