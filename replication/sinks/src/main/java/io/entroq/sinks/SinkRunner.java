package io.entroq.sinks;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.api.feed.FeedQuery.Start;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Copies the feed of a queue to a sink: resumes where the sink says, and waits while the queue or
 * the sink is away.
 *
 * <pre>{@code
 * SinkRunner runner = new SinkRunner(queue, FeedQuery.fromSnapshot().build(), sink);
 * Runtime.getRuntime().addShutdownHook(new Thread(runner::stop));
 * runner.run();
 * }</pre>
 *
 * <p>{@link #run} is called once, by one thread; other methods by any.
 */
public final class SinkRunner {
  private static final Logger LOG = System.getLogger(SinkRunner.class.getName());
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private final EntroQ queue;
  private final FeedQuery query;
  private final FeedSink sink;
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile boolean mayBeginAgain;

  /** Whether the state is being copied again; for the running thread. */
  private boolean beginsAgain;

  private volatile SinkProgress progress = SinkProgress.NONE;

  /** What is read now; null if nothing is. */
  private volatile FeedIterator reading;

  /**
   * @param query its start is where to begin if the sink keeps no position
   * @param sink closed at the end of {@link #run}
   */
  public SinkRunner(EntroQ queue, FeedQuery query, FeedSink sink) {
    this.queue = Objects.requireNonNull(queue, "queue");
    this.query = Objects.requireNonNull(query, "query");
    this.sink = Objects.requireNonNull(sink, "sink");
  }

  /**
   * Begins with the state again if what follows the sink's position is no longer kept. Without
   * this, {@link #run} fails then.
   *
   * @throws IllegalArgumentException if the sink keeps more than the state, which would get a gap
   */
  public SinkRunner beginAgainIfNeeded() {
    if (!sink.canBeginAgain()) {
      throw new IllegalArgumentException(
          "only a sink that keeps the state alone can begin again without a gap");
    }
    mayBeginAgain = true;
    return this;
  }

  /**
   * Copies until {@link #stop} or the end of the query.
   *
   * @throws SinkException if somebody has to do something, which the message says
   * @throws InterruptedException if the caller was interrupted; what was not kept is copied by the
   *     next run
   */
  public void run() throws InterruptedException {
    Duration pause = FIRST_PAUSE;
    try (sink) {
      while (!isStopping()) {
        long batches = progress.batches();
        try {
          copy();
          return;
        } catch (EntroQException.OutOfRange e) {
          if (!mayBeginAgain || beginsAgain || !isGone(e)) {
            throw outOfRange(e);
          }
          beginsAgain = true;
          LOG.log(Level.WARNING, "begins with the state again: {0}", e.getMessage());
        } catch (EntroQException e) {
          if (!e.isTemporary()) {
            throw giveUp(e);
          }
          pause = progress.batches() == batches ? longer(pause) : FIRST_PAUSE;
          await(pause, e);
        }
      }
    }
  }

  private void copy() throws InterruptedException {
    Optional<FeedPosition> kept = sink.open(query);
    progress = progress.at(kept);
    Start start = beginsAgain ? new Start.Snapshot() : start(kept);
    if (start instanceof Start.Snapshot) {
      sink.beginState();
    }
    try (FeedIterator feed = Feed.of(queue).iterator(query.withStart(start))) {
      reading = feed;
      if (isStopping()) {
        return;
      }
      BatchReader batches = new BatchReader(feed, BatchReader.POSITION_INTERVAL);
      for (var next = batches.next(); next.isPresent(); next = batches.next()) {
        sink.apply(next.get());
        report(next.get());
      }
    } finally {
      reading = null;
    }
  }

  private Start start(Optional<FeedPosition> kept) {
    return kept.<Start>map(Start.After::new).orElse(query.start());
  }

  private void report(SinkBatch batch) {
    if (progress.problem().isPresent()) {
      LOG.log(Level.INFO, "goes on");
    }
    beginsAgain = beginsAgain && batch.position().isEmpty();
    progress = progress.with(batch);
  }

  private void await(Duration pause, RuntimeException why) throws InterruptedException {
    if (progress.problem().isEmpty()) {
      LOG.log(Level.WARNING, "waits, and tries again: {0}", why.getMessage());
    }
    progress = progress.failing(Optional.of(String.valueOf(why.getMessage())));
    stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static Duration longer(Duration pause) {
    Duration longer = pause.multipliedBy(2);
    return longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
  }

  /** Whether what follows is no longer kept, and not still to come. */
  private boolean isGone(EntroQException.OutOfRange e) {
    return progress.position().map(at -> at.sequence() < e.first()).orElse(false);
  }

  private SinkException outOfRange(EntroQException.OutOfRange e) {
    if (beginsAgain || !isGone(e)) {
      return giveUp(e);
    }
    String advice =
        sink.canBeginAgain()
            ? "let the runner begin with the state again (beginAgainIfNeeded)"
            : "begin a new sink under another name, or with the state; there is a gap between them";
    return SinkException.permanent(
        "effects after %s are no longer kept, the first kept are those of step %d: %s; to prevent"
                .formatted(progress.position().orElseThrow(), e.first(), advice)
            + " it, keep more history (--history)",
        e);
  }

  private SinkException giveUp(RuntimeException e) {
    return e instanceof SinkException known
        ? known
        : SinkException.permanent(
            progress.position().map(at -> "after " + at + ": ").orElse("") + e.getMessage(), e);
  }

  private boolean isStopping() {
    return stop.getCount() == 0;
  }

  /** Ends {@link #run} after the batch that is being applied. */
  public void stop() {
    stop.countDown();
    FeedIterator feed = reading;
    if (feed != null) {
      feed.close();
    }
  }

  /** What it has done. */
  public SinkProgress progress() {
    SinkProgress now = progress;
    FeedIterator feed = reading;
    return feed == null || feed.problem().isEmpty()
        ? now
        : now.failing(feed.problem().map(EntroQException::getMessage));
  }
}
